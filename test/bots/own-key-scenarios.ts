import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import {
  aMarketIsSettled,
  callsWereMade,
  FIRST,
  GET_FREE,
  GET_PRO,
  KEY,
  keyOfTheOtherChat,
  ON,
  type Scenario,
  theKeyIsReplaced,
  theKeyIsRevoked,
} from './scenario-steps.ts';

export const OWN_KEY_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a key is renamed by a line of text; one that cannot be a name is asked for again',
    steps: [
      ...GET_FREE,
      { command: 'keys' },
      { tap: FIRST },
      { tap: 'Rename', sees: ['What should Key 1 be called?'], buttons: ['Keep the name'] },
      { type: 'x'.repeat(101), sees: ['A name has 1 to 100 characters'], buttons: ['Keep the name'] },
      {
        type: `sk_live_${'x'.repeat(20)} ${'x'.repeat(23)}`,
        sees: ['is not a key'],
        buttons: ['Keep the name'],
      },
      { type: '\u200b', sees: ['at least one of them visible'], buttons: ['Keep the name'] },
      {
        type: '\u200fBot <1> & *co*: a_b\u200e',
        sees: ['It is called Bot <1> & *co*: a_b now.'],
        buttons: ON,
      },
      { tap: 'My keys', buttons: ['Bot <1> & *co*: a_b', 'Get another key', 'Menu'] },
      { tap: 'Bot <1> & *co*: a_b', buttons: KEY },
      { tap: 'Rename', sees: ['What should Bot <1> & *co*: a_b be called?'] },
      { tap: 'Keep the name', sees: ['Bot <1> & *co*: a_b'], buttons: KEY },
    ],
  },
  {
    title: 'a key is replaced: the old one works 24 hours more, or dies now, and the trial stays',
    steps: [
      ...GET_PRO,
      { command: 'keys' },
      { tap: FIRST },
      {
        tap: 'Replace',
        sees: ['Name, tier, trial and settings stay.'],
        buttons: ['Keep the old key 24 h', 'End the old key now', 'Change nothing'],
      },
      {
        tap: 'Keep the old key 24 h',
        sees: [
          'Your new key, still called Key 1',
          'The old key works until 2026-01-03 00:00 UTC.',
          'sk_live_',
        ],
        buttons: ['Done, hide it'],
      },
      { command: 'keys', sees: ['Pro, 30 days left'] },
      { tap: FIRST, sees: ['The previous key works until 2026-01-03 00:00 UTC.'], buttons: KEY },
      { tap: 'Replace' },
      { tap: 'End the old key now', sees: ['The old key stops working within 5 seconds.'] },
      { command: 'keys' },
      { tap: FIRST, buttons: KEY },
      { tap: 'Replace' },
      { tap: 'Change nothing', sees: ['Pro, 30 days left'], buttons: KEY },
    ],
  },
  {
    title: 'to revoke a key takes two steps, and says what ends with a trial',
    steps: [
      ...GET_PRO,
      { command: 'keys' },
      { tap: FIRST },
      {
        tap: 'Revoke',
        sees: ['Revoke Key 1?', 'Your trial ends with it', 'Replacing the key keeps the trial.'],
        buttons: ['Yes, revoke it', 'Replace it instead', 'Keep it'],
      },
      { tap: 'Keep it', buttons: KEY },
      { tap: 'Revoke' },
      { tap: 'Yes, revoke it', sees: ['Key 1 is revoked.'], buttons: ON },
      { tap: 'My keys', sees: ['You have no keys yet.'], buttons: ['Get a key', 'Menu'] },
      {
        command: 'key',
        sees: ['Pro: you have already used your 30 free days'],
        buttons: ['Free key', 'Upgrade', 'Menu'],
      },
    ],
  },
  {
    title: 'a key that was revoked before its message was hidden is not said to work',
    steps: [
      ...GET_FREE,
      { meanwhile: (fixture) => theKeyIsRevoked(fixture) },
      {
        tap: 'Done, hide it',
        sees: ['That key does not work: it was replaced or revoked.'],
        misses: ['Your key works now'],
        buttons: ['My keys', 'Follow alerts', 'Last alerts', 'Help'],
      },
    ],
  },
  {
    title: 'a key that is gone by then is not among theirs',
    steps: [
      ...GET_FREE,
      { command: 'keys' },
      { meanwhile: (fixture) => theKeyIsRevoked(fixture) },
      { tap: FIRST, sees: ['That key is not among yours.'], buttons: ON },
    ],
  },
  {
    title: 'the days of the trial are counted down, and Free follows automatically',
    steps: [
      ...GET_PRO,
      { command: 'upgrade', sees: ['You are on Pro, 30 days left. It ends 2026-02-01 00:00 UTC.'] },
      { meanwhile: ({ clock }) => clock.advance(29 * DAY_MS + 1) },
      { command: 'upgrade', sees: ['You are on Pro, 1 day left.'] },
      { meanwhile: ({ clock }) => clock.advance(DAY_MS - 1) },
      { command: 'upgrade', sees: ['You are on Free.'], misses: ['It ends'] },
      { command: 'keys', sees: ['Free, 0 calls today'] },
      { tap: FIRST, sees: ['Free (the trial ended 2026-02-01 00:00 UTC)'] },
      { tap: 'Revoke', sees: ['cannot be restored.'], misses: ['trial'] },
      { tap: 'Yes, revoke it' },
      { command: 'key', buttons: ['Free key', 'Upgrade', 'Menu'] },
    ],
  },
  {
    title: 'calls of today are those since UTC midnight',
    steps: [
      ...GET_FREE,
      { meanwhile: (fixture) => callsWereMade(fixture, 1_234) },
      { command: 'keys', sees: ['1,234 calls today'] },
      { meanwhile: ({ clock }) => clock.advance(DAY_MS) },
      { command: 'keys', sees: ['0 calls today'] },
    ],
  },
  {
    title: 'hot markets are as late as the best key allows, and it may be quiet',
    steps: [
      {
        command: 'hot',
        sees: ['Hot markets, last 30 days, 5 minutes late', 'It was quiet'],
        buttons: ['Last alerts', 'Menu'],
      },
      { meanwhile: (fixture) => fixture.addAlerts() },
      { meanwhile: ({ clock }) => clock.advance(MINUTE_MS) },
      {
        command: 'hot',
        sees: [
          'Hot markets, last 24 hours, 5 minutes late',
          'Will measure 1 pass?',
          '1 bet, $2,000 put in, average score 72 of 100',
        ],
        misses: ['measure 2', 'measure 3'],
      },
      ...GET_PRO,
      { command: 'hot', sees: ['Hot markets, last 24 hours, in real time', 'Will measure 3 pass?'] },
      { meanwhile: ({ clock }) => clock.advance(2 * DAY_MS) },
      { command: 'hot', sees: ['Hot markets, last 7 days', 'Will measure 3 pass?'] },
    ],
  },
  {
    title: 'last alerts are as late as the best key allows: 5 minutes without one and after the trial',
    steps: [
      {
        command: 'alerts',
        sees: ['There are no alerts yet.'],
        buttons: ['What alerts mean', 'Hot markets', 'Menu'],
      },
      { meanwhile: (fixture) => fixture.addAlerts() },
      {
        command: 'alerts',
        sees: ['Last alerts, 5 minutes late', 'Will measure 1 pass?'],
        misses: ['measure 2', 'measure 3'],
      },
      ...GET_PRO,
      {
        command: 'alerts',
        sees: [
          'Last alerts, in real time',
          'Will measure 3 pass?',
          '$2,000 on Yes at 40¢ to win $3,000 · score 72 · 0 s ago',
        ],
        misses: ['✅ won', '❌ lost'],
      },
      { meanwhile: (fixture) => aMarketIsSettled(fixture) },
      { command: 'alerts', sees: ['0 s ago\n❌ lost $2,000'] },
      { meanwhile: ({ clock }) => clock.advance(30 * DAY_MS) },
      { command: 'alerts', sees: ['Last alerts, 5 minutes late'] },
    ],
  },
  {
    title: 'what alerts mean is said, and a sentence is answered with what is understood',
    steps: [
      { command: 'help' },
      {
        tap: 'What alerts mean',
        sees: [
          'not proof',
          'timing, pattern. It is not a probability: 80 does not mean 80%',
          'at prices above 1¢ and below 95¢',
          '/record says it, beside what the prices paid needed',
          'investment advice',
        ],
        buttons: ['Last alerts', 'Menu'],
      },
      { command: 'about', sees: ['What an alert means'] },
      ...['hello', 'Thanks!', 'what is this?'].map((type) => ({
        type,
        sees: ['I understand buttons and commands', '/key: an API key'],
        buttons: ['Follow alerts', 'Last alerts', 'What alerts mean', 'Help', 'Menu'],
      })),
      { type: ' Help ', sees: ['What I can do'] },
    ],
  },
  {
    title: 'an own key that is pasted is named with its state; of another one nothing is said',
    steps: [
      { command: 'key' },
      { tap: 'Pro key, 30 days free' },
      {
        type: async ({ lastSecret }) => `is this it? ${lastSecret()}`,
        sees: ['This is your key Key 1, and it works: Pro, 30 days left.'],
        misses: ['sk_live_'],
        buttons: ['My keys', 'Menu', 'Help'],
      },
      {
        command: 'follow',
        argument: async ({ lastSecret }) => lastSecret(),
        sees: ['This is your key Key 1'],
      },
      { type: `sk_live_${'x'.repeat(43)}`, sees: ['This is not one of the keys you have here.'] },
      {
        type: async (fixture) => keyOfTheOtherChat(fixture),
        sees: ['This is not one of the keys you have here.'],
      },
      { meanwhile: (fixture) => theKeyIsReplaced(fixture) },
      {
        type: async ({ lastSecret }) => lastSecret(),
        sees: ['This key was replaced: it works until 2026-01-03 00:00 UTC as Key 1.'],
      },
      { meanwhile: ({ clock }) => clock.advance(DAY_MS) },
      { type: async ({ lastSecret }) => lastSecret(), sees: ['This is not one of the keys you have here.'] },
    ],
  },
  {
    title: 'a revoked key that is pasted is said to be revoked, and leaves the open question open',
    steps: [
      ...GET_FREE,
      { command: 'keys' },
      { tap: FIRST },
      { tap: 'Rename' },
      { type: async ({ lastSecret }) => lastSecret(), sees: ['This is your key Key 1, and it works: Free.'] },
      { type: 'Desk', sees: ['It is called Desk now.'] },
      { meanwhile: (fixture) => theKeyIsRevoked(fixture) },
      {
        type: async ({ lastSecret }) => lastSecret(),
        sees: ['This is your key Desk. It was revoked 2026-01-02 00:00 UTC.'],
      },
    ],
  },
];
