import type { Customer } from '../../src/core/customers/customer.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/duration.ts';
import type { ConversationFixture } from '../support/chat/conversation-fixture.ts';

interface Seen {
  /** Parts of the text, each of which must be there. */
  readonly sees?: readonly string[];
  /** What must not be there. */
  readonly misses?: readonly string[];
  /** All labels, in order. */
  readonly buttons?: readonly string[];
}

type Text = string | ((fixture: ConversationFixture) => Promise<string>);

/** What a person does and sees, or what happens meanwhile. */
export type ScenarioStep =
  | (Seen & { readonly command: string; readonly argument?: Text })
  /** A button of the newest screen, by its label. */
  | (Seen & { readonly tap: string })
  | (Seen & { readonly type: Text })
  | { readonly membership: 'member' | 'not_member' | 'error' }
  | { readonly meanwhile: (fixture: ConversationFixture) => Promise<unknown> | undefined };

/** A conversation of one person, who is in the community unless a step says otherwise. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
}

const HOME = ['Get a key', 'Hot markets', 'Last alerts', 'Help'];
const TIERS = ['Pro key, 30 days free', 'Free key', 'Menu'];
const JOIN = ['Join the community', 'I have joined', 'Menu'];
const KEY = ['Rename', 'New secret', 'Revoke', 'My keys', 'Menu'];
const ON = ['My keys', 'Menu'];
/** What the service calls keys until they are renamed. */
const FIRST = 'Key 1';

const GET_PRO: readonly ScenarioStep[] = [
  { command: 'key', buttons: TIERS },
  { tap: 'Pro key, 30 days free', sees: ['Your Pro key'], buttons: ['Done, hide it'] },
];
const GET_FREE: readonly ScenarioStep[] = [
  { command: 'key' },
  { tap: 'Free key', sees: ['Your Free key', 'sk_live_'], buttons: ['Done, hide it'] },
];

/** Every screen of the conversation and every way between them. The same on every platform. */
export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'a stranger gets a Pro key in three taps, sees it once, and finds it again by its name',
    steps: [
      { command: 'start', sees: ['Tipoff watches prediction markets', 'costs nothing'], buttons: HOME },
      {
        tap: 'Get a key',
        sees: [
          'Free: alerts 5 minutes late, 60 requests a minute.',
          'Pro: alerts in real time, 300 requests a minute, and the live stream.',
          'After 30 days it becomes a Free key automatically: nothing to pay',
        ],
        buttons: TIERS,
      },
      {
        tap: 'Pro key, 30 days free',
        sees: [
          'It is Pro until 2026-02-01 00:00 UTC, and a Free key from then on.',
          'it is shown this once',
          "curl -H 'Authorization: Bearer sk_live_",
          "'https://api.example.com/api/v1/alerts/latest?limit=5'",
          'https://api.example.com/docs',
        ],
        buttons: ['Done, hide it'],
      },
      {
        tap: 'Done, hide it',
        sees: ['Hidden. Your key works now.'],
        buttons: ['My keys', 'Last alerts', 'Help'],
      },
      {
        tap: 'My keys',
        sees: [FIRST, 'Pro, 30 days left, 0 calls today, made 2026-01-02'],
        buttons: [FIRST, 'Get another key', 'Menu'],
      },
      {
        tap: FIRST,
        sees: ['Pro, 30 days left (until 2026-02-01 00:00 UTC, then Free)', 'Begins with sk_live_'],
        buttons: KEY,
      },
      { tap: 'Menu', sees: ['You have 1 key.'], buttons: ['My keys', 'Get another key', ...HOME.slice(1)] },
    ],
  },
  {
    title: 'a Free key has no trial and no end',
    steps: [
      ...GET_FREE,
      { tap: 'Done, hide it' },
      { tap: 'My keys', sees: ['Free, 0 calls today'] },
      { command: 'trial', sees: ['Your trial has not begun.'], buttons: ['Get a key', 'Menu'] },
    ],
  },
  {
    title: 'who is not in the community is shown the way in, and gets the key when they have joined',
    steps: [
      { membership: 'not_member' },
      { command: 'key', sees: ['One step first: join the community.'], buttons: JOIN },
      { tap: 'I have joined', sees: ['We cannot see you in the community yet.'], buttons: JOIN },
      { membership: 'member' },
      { tap: 'I have joined', sees: ['Which key do you want?'], buttons: TIERS },
      { membership: 'not_member' },
      { tap: 'Free key', sees: ['One step first: join the community.'], buttons: JOIN },
      { membership: 'member' },
      { tap: 'I have joined', buttons: TIERS },
      { tap: 'Free key', sees: ['Your Free key'] },
    ],
  },
  {
    title: 'an unknown membership refuses no user',
    steps: [{ membership: 'error' }, ...GET_PRO],
  },
  {
    title: 'a tap that has given a key already says so, and leads to a new secret',
    steps: [
      { command: 'key' },
      { meanwhile: (fixture) => theTapArrivedBefore(fixture) },
      {
        tap: 'Pro key, 30 days free',
        sees: ['You have this key already: Key 1, Pro, 30 days left.', 'cannot be shown again'],
        buttons: ['New secret', 'My keys', 'Get another key'],
      },
      { tap: 'New secret', sees: ['A new secret for Key 1'] },
    ],
  },
  {
    title: 'three keys are the most, and a fourth is refused with the way on',
    steps: [
      ...GET_FREE,
      ...GET_FREE,
      ...GET_FREE,
      { command: 'key' },
      { tap: 'Free key', sees: ['You have 3 keys, which is the most.'], buttons: ON },
    ],
  },
  {
    title: 'the trial is had once: who had it is offered a Free key alone',
    steps: [
      ...GET_PRO,
      { command: 'key', sees: ['Pro: you already had its trial'], buttons: ['Free key', 'Menu'] },
      { tap: 'Free key', sees: ['Your Free key'] },
    ],
  },
  {
    title: 'the trial is had once: who deleted their data and comes back is promised no other',
    steps: [
      ...GET_PRO,
      { command: 'delete' },
      { tap: 'Yes, delete everything' },
      { command: 'key', sees: ['Pro: you already had its trial'], buttons: ['Free key', 'Menu'] },
      { command: 'trial', sees: ['You already had your trial.'], buttons: ['Get a key', 'Menu'] },
    ],
  },
  {
    title: 'the trial is had once: who had it meanwhile and taps Pro gets a Free key with the reason',
    steps: [
      { command: 'key', buttons: TIERS },
      { meanwhile: (fixture) => theTrialIsHad(fixture) },
      {
        tap: 'Pro key, 30 days free',
        sees: ['Your Free key', 'You already had the 30 days of Pro. There is one trial per person'],
      },
    ],
  },
  {
    title: 'a key whose message may not have arrived is replaced, and its trial continues',
    steps: [
      { command: 'start' },
      { meanwhile: (fixture) => aKeyNeverArrived(fixture) },
      ...GET_PRO,
      { command: 'keys', buttons: [FIRST, 'Get another key', 'Menu'] },
      { command: 'trial', sees: ['30 days of Pro left.'] },
    ],
  },
  {
    title: 'a key is renamed by a line of text; one that cannot be a name is asked for again',
    steps: [
      ...GET_FREE,
      { command: 'keys' },
      { tap: FIRST },
      { tap: 'Rename', sees: ['What should Key 1 be called?'], buttons: ['Keep the name'] },
      { type: 'x'.repeat(101), sees: ['A name has 1 to 100 characters'], buttons: ['Keep the name'] },
      { type: 'Bot <1> & *co*: a_b', sees: ['It is called Bot <1> & *co*: a_b now.'], buttons: ON },
      { tap: 'My keys', buttons: ['Bot <1> & *co*: a_b', 'Get another key', 'Menu'] },
      { tap: 'Bot <1> & *co*: a_b', buttons: KEY },
      { tap: 'Rename', sees: ['What should Bot <1> & *co*: a_b be called?'] },
      { tap: 'Keep the name', sees: ['Bot <1> & *co*: a_b'], buttons: KEY },
    ],
  },
  {
    title: 'a new secret: the old one works 24 hours more, or dies now, and the trial stays',
    steps: [
      ...GET_PRO,
      { command: 'keys' },
      { tap: FIRST },
      {
        tap: 'New secret',
        sees: ['Its tier, trial and settings stay.'],
        buttons: ['Old one works 24 h more', 'Old one ends now', 'Change nothing'],
      },
      {
        tap: 'Old one works 24 h more',
        sees: ['The new secret of Key 1', 'The old secret works until 2026-01-03 00:00 UTC.', 'sk_live_'],
        buttons: ['Done, hide it'],
      },
      { command: 'keys', sees: ['Pro, 30 days left'] },
      { tap: FIRST, sees: ['The old secret works until 2026-01-03 00:00 UTC.'], buttons: KEY },
      { tap: 'New secret' },
      { tap: 'Old one ends now', sees: ['The old secret stops working within 5 seconds.'] },
      { command: 'keys' },
      { tap: FIRST, buttons: KEY },
      { tap: 'New secret' },
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
        sees: ['Revoke Key 1?', 'Your trial ends with it', 'A new secret instead keeps the trial.'],
        buttons: ['Yes, revoke it', 'New secret instead', 'Keep it'],
      },
      { tap: 'Keep it', buttons: KEY },
      { tap: 'Revoke' },
      { tap: 'Yes, revoke it', sees: ['Key 1 is revoked.'], buttons: ON },
      { tap: 'My keys', sees: ['You have no keys yet.'], buttons: ['Get a key', 'Menu'] },
      { command: 'trial', sees: ['None of your keys is in the trial any more.'], buttons: ON },
      { command: 'key', sees: ['Pro: you already had its trial'], buttons: ['Free key', 'Menu'] },
    ],
  },
  {
    title: 'a key that is gone meanwhile is not among theirs',
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
      { command: 'trial', sees: ['30 days of Pro left.', 'It ends 2026-02-01 00:00 UTC.'], buttons: ON },
      { meanwhile: ({ clock }) => clock.advance(29 * DAY_MS + 1) },
      { command: 'trial', sees: ['1 day of Pro left.'] },
      { meanwhile: ({ clock }) => clock.advance(DAY_MS - 1) },
      {
        command: 'trial',
        sees: ['Your trial is over.', 'It ended 2026-02-01 00:00 UTC.', 'keep working, as Free keys'],
        buttons: ON,
      },
      { command: 'keys', sees: ['Free, 0 calls today'] },
      { tap: FIRST, sees: ['Free (the trial ended 2026-02-01 00:00 UTC)'] },
      { tap: 'Revoke', sees: ['cannot be restored.'], misses: ['trial'] },
      { tap: 'Yes, revoke it' },
      { command: 'key', buttons: ['Free key', 'Menu'] },
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
          '1 alert, orders of $2,000, mean score 72 of 100',
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
        sees: ['There are none yet.'],
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
          'Bought Yes at 40¢ for $2,000 · score 72 · under a minute ago',
        ],
        misses: ['✅ Right', '❌ Wrong'],
      },
      { meanwhile: (fixture) => aMarketIsSettled(fixture) },
      { command: 'alerts', sees: ['under a minute ago\n❌ Wrong: −$2,000 on the order'] },
      { meanwhile: ({ clock }) => clock.advance(30 * DAY_MS) },
      { command: 'alerts', sees: ['Last alerts, 5 minutes late'] },
    ],
  },
  {
    title: 'help names every command, and an unknown one is answered',
    steps: [
      {
        command: 'help',
        sees: [
          '/start',
          '/key',
          '/keys',
          '/trial',
          '/alerts',
          '/hot',
          '/about',
          '/link',
          '/delete',
          '/help',
          '/docs',
        ],
        buttons: ['What alerts mean', 'Get a key', 'Menu'],
      },
      {
        tap: 'What alerts mean',
        sees: [
          'no proof',
          'timing, pattern. It is not a probability: 85 does not mean 85 %',
          'at prices above 1¢ and below 95¢',
          '109 of 222 alerts were right',
          'investment advice',
        ],
        buttons: ['Last alerts', 'Menu'],
      },
      { command: 'about', sees: ['What an alert means'] },
      { command: 'pause', sees: ['I do not know that command.'], buttons: ['Menu', 'Help'] },
      { tap: 'Help', sees: ['What I can do'] },
    ],
  },
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
      { tap: 'Keep it', sees: ['You have 1 key.'] },
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
      { tap: 'Pro key, 30 days free', sees: ['Something went wrong on our side.'], buttons: ['Try again'] },
      { tap: 'Try again', sees: ['Something went wrong on our side.'] },
      { meanwhile: ({ faults }) => void faults.recover() },
      { tap: 'Try again', sees: ['Your Pro key'], buttons: ['Done, hide it'] },
      { command: 'keys', buttons: [FIRST, 'Get another key', 'Menu'] },
    ],
  },
];

async function theTapArrivedBefore({ customers, customer, lastRequest }: ConversationFixture): Promise<void> {
  const request = lastRequest();
  const given = await customers.requestKey({ customerId: (await customer()).id, tier: 'pro', request });
  if (given.ok) await customers.confirmShown(given.key.id, request);
}

async function theTrialIsHad({ customers, customer }: ConversationFixture): Promise<void> {
  const request = 'other_screen';
  const given = await customers.requestKey({ customerId: (await customer()).id, tier: 'pro', request });
  if (given.ok) await customers.confirmShown(given.key.id, request);
}

async function aKeyNeverArrived({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.requestKey({ customerId: (await customer()).id, tier: 'pro', request: 'lost_request' });
}

async function theKeyIsRevoked({ customers, customer, keys }: ConversationFixture): Promise<void> {
  const { id } = await customer();
  for (const key of await keys()) await customers.revoke(id, key.id);
}

async function aMarketIsSettled({ database }: ConversationFixture): Promise<void> {
  await database.alerts.resolveMarket('0xm3', () => ({ payout: 0, won: false, profitUsdc: -2_000 }));
}

async function theyAreDeleted({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.erase((await customer()).id);
}

async function theyAreBanned({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.ban((await customer()).id);
}

async function callsWereMade({ database, keys }: ConversationFixture, count: number): Promise<void> {
  const [key] = await keys();
  await database.usage.add('2026-01-02', new Map([[key?.id ?? '', count]]));
}

async function ownCode({ customers, customer }: ConversationFixture): Promise<string> {
  return (await customers.startLink((await customer()).id)).code;
}

/** The customer's visit on another platform, under an account that no driver uses. */
function elsewhere({ customers }: ConversationFixture): Promise<Customer> {
  const userId = '900000000000000001';
  return customers.visit({ platform: 'discord', userId, name: 'ann.elsewhere', chat: userId });
}

/** The link code of a customer with a Free key. */
async function codeOfTheOtherChat(fixture: ConversationFixture): Promise<string> {
  const { customers } = fixture;
  const { id: customerId } = await elsewhere(fixture);
  const request = 'other_chat_1';
  const given = await customers.requestKey({ customerId, tier: 'free', request });
  if (given.ok) await customers.confirmShown(given.key.id, request);
  return (await customers.startLink(customerId)).code;
}

async function codeOfSomebodyBanned(fixture: ConversationFixture): Promise<string> {
  const { id } = await elsewhere(fixture);
  await fixture.customers.ban(id);
  return (await fixture.customers.startLink(id)).code;
}
