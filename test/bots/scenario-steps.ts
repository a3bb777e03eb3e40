import type { Membership } from '../../bots/shared/chat-bot.ts';
import type { Customer } from '../../src/core/accounts/customers/customer.ts';
import type { Tier } from '../../src/core/accounts/tier.ts';
import type { ConversationFixture } from '../support/chat/conversation-fixture.ts';
import { settleMarket } from '../support/stored.ts';

export interface Seen {
  readonly sees?: readonly string[];
  readonly misses?: readonly string[];
  readonly buttons?: readonly string[];
}

export type Text = string | ((fixture: ConversationFixture) => Promise<string>);

export type ScenarioStep =
  | (Seen & { readonly command: string; readonly argument?: Text })
  | (Seen & { readonly tap: string })
  | (Seen & { readonly type: Text })
  | { readonly membership: Membership }
  | { readonly meanwhile: (fixture: ConversationFixture) => Promise<unknown> | undefined };

export type MoveStep = Exclude<ScenarioStep, { meanwhile: unknown } | { membership: unknown }>;

/** A conversation of one person, who is in the community unless a step says otherwise. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
}

export const HOME = ['Follow alerts', 'Get a key', 'Hot markets', 'Last alerts', 'Help'];
export const TIERS = ['Pro key, 30 days free', 'Free key', 'Menu'];
export const JOIN = ['Join the community', 'I have joined', 'Menu'];
export const KEY = ['Rename', 'Replace', 'Revoke', 'My keys', 'Menu'];
export const ON = ['My keys', 'Menu'];
/** What the service calls keys until they are renamed. */
export const FIRST = 'Key 1';

export const GET_PRO: readonly ScenarioStep[] = [
  { command: 'key', buttons: TIERS },
  { tap: 'Pro key, 30 days free', sees: ['Your Pro key'], buttons: ['Done, hide it'] },
];
export const GET_FREE: readonly ScenarioStep[] = [
  { command: 'key' },
  { tap: 'Free key', sees: ['Your Free key', 'sk_live_'], buttons: ['Done, hide it'] },
];

async function theyGetPro({ customers, customer }: ConversationFixture, request: string): Promise<void> {
  const given = await customers.keys.issue({ customerId: (await customer()).id, tier: 'pro', request });
  if (given.ok) await customers.keys.confirmShown(given.key.id, request);
}

export const theTapArrivedBefore = (fixture: ConversationFixture) =>
  theyGetPro(fixture, fixture.lastRequest());

export const theTrialIsHad = (fixture: ConversationFixture) => theyGetPro(fixture, 'other_screen');

export async function theKeyBecomes({ database, keys }: ConversationFixture, tier: Tier): Promise<void> {
  for (const { id } of await keys()) await database.keys.setTier(id, tier, null);
}

export async function aKeyNeverArrived({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.keys.issue({ customerId: (await customer()).id, tier: 'pro', request: 'lost_request' });
}

export async function theKeyIsRevoked({ customers, customer, keys }: ConversationFixture): Promise<void> {
  const { id } = await customer();
  for (const key of await keys()) await customers.keys.revoke(id, key.id);
}

export async function aMarketIsSettled({ database }: ConversationFixture): Promise<void> {
  await settleMarket(database, { marketId: '0xm3', payouts: [0, 1] });
}

export async function theyAreDeleted({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.erase((await customer()).id);
}

export async function theyAreBanned({ customers, customer }: ConversationFixture): Promise<void> {
  await customers.ban((await customer()).id);
}

export async function callsWereMade({ database, keys }: ConversationFixture, count: number): Promise<void> {
  const [key] = await keys();
  await database.usage.add('2026-01-02', new Map([[key?.id ?? '', count]]));
}

/** The customer's visit on another platform, under an account of their own. */
export function elsewhere({ customers }: ConversationFixture): Promise<Customer> {
  const userId = '900000000000000001';
  return customers.visit({ platform: 'discord', userId, name: 'ann.elsewhere', chat: userId });
}

export async function keyOfTheOtherChat(fixture: ConversationFixture): Promise<string> {
  const { id: customerId } = await elsewhere(fixture);
  const given = await fixture.customers.keys.issue({ customerId, tier: 'free', request: 'other_chat_2' });
  return given.ok ? given.secret : '';
}

export async function theKeyIsReplaced({ customers, customer, keys }: ConversationFixture): Promise<void> {
  const [key] = await keys();
  const rotation = {
    customerId: (await customer()).id,
    keyId: key?.id ?? '',
    request: 'replaced',
    keepOld: true,
  };
  await customers.keys.rotate(rotation);
}
