import type { Customer, Customers } from '../accounts/customers/customer.ts';
import type { Keys } from '../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../accounts/tier.ts';
import { alertAgeFor } from '../alerts/free-delay.ts';
import { type HiddenWallets, hiddenAddresses } from '../alerts/hidden-wallets.ts';
import { paged } from '../base/async/paged.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { PersonalFacts, Recipient } from '../chat/chat-message.ts';
import { activeFollows, bestTier, withoutHidden } from './active-follows.ts';
import type { Follow, Follower, Followers } from './follower.ts';

/** A person to whom messages about their follows may go, as they are now. */
export interface Person {
  readonly customer: Customer;
  readonly follower: Follower;
  /** The follows that count (`activeFollows`), without hidden wallets. */
  readonly follows: readonly Follow[];
  /** False: everything comes at the free delay. */
  readonly isRealtime: boolean;
}

/** People, and the ids that were asked for of those who have no row. */
export interface People {
  readonly people: readonly Person[];
  readonly withoutRow: readonly string[];
}

/** Stores that `readPeople` reads. */
export interface PeopleStores {
  readonly followers: Pick<Followers, 'byIds'>;
  readonly keys: Pick<Keys, 'byCustomers'>;
  readonly customers: Pick<Customers, 'byIds'>;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
}

/** People that are read together. */
const PEOPLE_PER_BATCH = 500;

/** The followers that were changed since a moment, page by page; since 0 everybody. */
export function changedFollowers(
  followers: Pick<Followers, 'changedSince'>,
  since: EpochMs,
): AsyncGenerator<Follower, void> {
  const limit = PEOPLE_PER_BATCH;
  return paged((after) => followers.changedSince({ since, limit, after }), limit);
}

/** Like `readPeople`, for any number of people, in batches. */
export async function* peopleInBatches(
  stores: PeopleStores,
  ids: readonly string[],
  clock: Pick<Clock, 'now'>,
): AsyncGenerator<People, void> {
  for (let from = 0; from < ids.length; from += PEOPLE_PER_BATCH)
    yield await readPeople(stores, ids.slice(from, from + PEOPLE_PER_BATCH), clock.now());
}

/** The people with these customer ids, in that order, without those who are gone or banned. Four reads. */
export async function readPeople(
  { followers, keys, customers, hiddenWallets }: PeopleStores,
  ids: readonly string[],
  now: EpochMs,
): Promise<People> {
  const [rows, records, held, hidden] = await Promise.all([
    followers.byIds(ids),
    customers.byIds(ids),
    keys.byCustomers(ids),
    hiddenAddresses(hiddenWallets),
  ]);
  const followerOf = new Map(rows.map((row) => [row.customerId, row]));
  const customerOf = new Map(records.map((record) => [record.id, record]));
  const keysOf = Map.groupBy(held, ({ customerId }) => customerId);
  const people = ids.flatMap((id) => {
    const follower = followerOf.get(id);
    const customer = customerOf.get(id);
    if (follower === undefined || customer === undefined) return [];
    if (customer.bannedAt !== null || customer.erasingAt !== null) return [];
    const tier = bestTier(keysOf.get(id) ?? [], now);
    const { isRealtime } = TIER_POLICIES[tier];
    const follows = withoutHidden(activeFollows(follower, tier), hidden);
    return [{ customer, follower, follows, isRealtime }];
  });
  return { people, withoutRow: ids.filter((id) => !followerOf.has(id)) };
}

/** Recipient and times of a message about something that happened at a time; people without real time get it at the free delay. */
export function addressedTo(
  person: Person,
  { createdAt, freeDelayMs }: { readonly createdAt: EpochMs; readonly freeDelayMs: number },
): { readonly recipient: Recipient; readonly createdAt: EpochMs; readonly dueAt: EpochMs } {
  const recipient = `customer:${person.customer.id}` as const;
  return { recipient, createdAt, dueAt: createdAt + alertAgeFor(person, { freeDelayMs }) };
}

/** The facts about a person that all their messages have in common. */
export function personalFactsOf({ customer: { platform }, isRealtime }: Person): PersonalFacts {
  return { platform, isRealtime };
}
