import {
  codeOfSomebodyBanned,
  codeOfTheOtherChat,
  FIRST,
  GET_FREE,
  GET_PRO,
  HOME,
  ON,
  ownCode,
  type Scenario,
  theyAreBanned,
  theyAreDeleted,
} from './scenario-steps.ts';

export const LINK_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a code of the other chat makes the two one, with the same keys',
    steps: [
      {
        command: 'link',
        sees: ['Link Telegram and Discord'],
        buttons: ['Give me a code', 'Menu'],
      },
      { type: 'what is this?', sees: ['That code is wrong'], buttons: ['Link again', 'Menu'] },
      { tap: 'Link again' },
      {
        type: 'no-such-code',
        sees: ['Continue only if you got the code yourself'],
        buttons: ['Yes, it is mine', 'No'],
      },
      { tap: 'Yes, it is mine', sees: ['That code is wrong'], buttons: ['Link again', 'Menu'] },
      { tap: 'Link again' },
      { type: codeOfTheOtherChat },
      { tap: 'Yes, it is mine', sees: ['Linked.'], buttons: ON },
      { tap: 'My keys', sees: ['Free, 0 calls today'] },
    ],
  },
  {
    title: 'after five wrong codes the answer says until when codes are refused',
    steps: [
      ...Array.from({ length: 5 }, () => [
        { command: 'link', argument: 'WRONG234' },
        { tap: 'Yes, it is mine' },
      ]).flat(),
      { command: 'link', argument: codeOfTheOtherChat },
      {
        tap: 'Yes, it is mine',
        sees: ['refused until 2026-01-02 00:10 UTC'],
        misses: ['That code is wrong'],
        buttons: ['Give me a code', 'Menu'],
      },
    ],
  },
  {
    title: 'keys with the same name, as linked chats may have, are distinguished by their first characters',
    steps: [
      ...GET_FREE,
      { command: 'keys', misses: ['sk_live_'] },
      { command: 'link', argument: codeOfTheOtherChat },
      { tap: 'Yes, it is mine', sees: ['Linked.'] },
      { tap: 'My keys', sees: ['Key 1 (sk_live_'] },
    ],
  },
  {
    title: 'a code is given for the other chat; here it is refused',
    steps: [
      { command: 'link' },
      {
        tap: 'Give me a code',
        sees: ['Your code: ', '/link ', 'It works once, until 2026-01-02 00:10 UTC.'],
        buttons: ['Menu'],
      },
      { command: 'link', argument: ownCode },
      {
        tap: 'Yes, it is mine',
        sees: ['That is the code you got here.'],
        buttons: ['Link again', 'Menu'],
      },
      { command: 'link', argument: codeOfTheOtherChat },
      { tap: 'Yes, it is mine', sees: ['Linked.'] },
    ],
  },
  {
    title: 'a chat cannot be linked to a banned customer',
    steps: [
      { command: 'link' },
      { type: codeOfSomebodyBanned },
      {
        tap: 'Yes, it is mine',
        sees: ['The other account cannot be linked.'],
        buttons: ['Link again', 'Menu'],
      },
      { tap: 'Menu', buttons: HOME },
    ],
  },
  {
    title: 'to delete everything takes two steps',
    steps: [
      ...GET_PRO,
      {
        command: 'delete',
        sees: ['Delete everything?', 'This cannot be undone.'],
        buttons: ['Yes, delete everything', 'Keep it'],
      },
      { tap: 'Keep it', sees: ['You have 1 key: '] },
      { command: 'delete' },
      { tap: 'Yes, delete everything', sees: ['Deleted.', 'Your keys no longer work'], buttons: ['Menu'] },
      { tap: 'Menu', buttons: HOME },
      { command: 'keys', sees: ['You have no keys yet.'] },
    ],
  },
  {
    title: 'the second step works only for the customer who took the first',
    steps: [
      { command: 'delete' },
      { meanwhile: (fixture) => theyAreDeleted(fixture) },
      { tap: 'Yes, delete everything', sees: ['That button is out of date.'], buttons: ['Menu', 'My keys'] },
    ],
  },
  {
    title: 'who is banned sees that, what is public, and how to delete their data',
    steps: [
      { command: 'key' },
      { meanwhile: (fixture) => theyAreBanned(fixture) },
      { tap: 'Free key', sees: ['You cannot get or use keys here any more.'] },
      { command: 'keys', buttons: ['Hot markets', 'Delete my data'] },
      { tap: 'Hot markets', sees: ['Hot markets, last 30 days'] },
      { tap: 'Last alerts', sees: ['You cannot get or use keys here any more.'] },
      { command: 'id', buttons: ['Menu'] },
      { command: 'status', sees: ['You cannot get or use keys here any more.'] },
      { command: 'privacy', buttons: ['Delete my data', 'Menu'] },
      { tap: 'Delete my data' },
      { tap: 'Yes, delete everything', sees: ['Deleted.'] },
      { command: 'start', sees: ['You cannot get or use keys here any more.'] },
    ],
  },
  {
    title: 'an internal fault is reported, nothing is lost, and the same button works again',
    steps: [
      { command: 'key' },
      { meanwhile: ({ faults }) => void faults.breakAll() },
      { tap: 'Pro key, 30 days free', sees: ['Something went wrong on my side.'], buttons: ['Try again'] },
      { tap: 'Try again', sees: ['Something went wrong on my side.'] },
      { meanwhile: ({ faults }) => void faults.recover() },
      { tap: 'Try again', sees: ['Your Pro key'], buttons: ['Done, hide it'] },
      { command: 'keys', buttons: [FIRST, 'Get another key', 'Menu'] },
    ],
  },
];
