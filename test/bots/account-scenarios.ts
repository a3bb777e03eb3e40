import {
  FIRST,
  GET_FREE,
  GET_PRO,
  HOME,
  type Scenario,
  theyAreBanned,
  theyAreDeleted,
} from './scenario-steps.ts';

export const ACCOUNT_SCENARIOS: readonly Scenario[] = [
  {
    title: 'keys that were given the same name are distinguished by their first characters',
    steps: [
      ...GET_FREE,
      { command: 'keys', misses: ['sk_live_'] },
      { command: 'key' },
      { tap: 'Free key' },
      { command: 'keys' },
      { tap: 'Key 2' },
      { tap: 'Rename' },
      { type: FIRST },
      { command: 'keys', sees: ['Key 1 (sk_live_'] },
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
