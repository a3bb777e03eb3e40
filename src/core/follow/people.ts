import type { CustomerRecord, CustomerStore } from '../accounts/customers/customer.ts';
import type { KeyStore } from '../accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../accounts/tier.ts';
import { alertAgeFor } from '../alerts/free-delay.ts';
import { type HiddenWalletStore, hiddenAddresses } from '../alerts/hidden-wallets.ts';
import { paged } from '../base/async/paged.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { PersonalFacts, Recipient } from '../chat/chat-message.ts';
import { activeFollows, bestTier, withoutHidden } from './active-follows.ts';
import type { Follow, Follower, FollowerStore } from './follower.ts';

/** A person to whom messages about their follows may go, as they are now. */
export interface Person {
  /** The customer who owns the messages; those of a merged customer belong to another. */
  readonly customerId: string;
  readonly follower: Follower;
  /** The follows that count (`activeFollows`), without hidden wallets. */
  readonly follows: readonly Follow[];
  /** False: everything comes at the free delay. */
  readonly isRealtime: boolean;
}

/** People, each with the id that was asked for, and the ids of those who have no row. */
export interface People {
  readonly people: readonly (readonly [id: string, Person])[];
  readonly withoutRow: readonly string[];
}

/** Stores that `readPeople` reads. */
export interface PeopleStores {
  readonly followers: Pick<FollowerStore, 'byIds'>;
  readonly keys: Pick<KeyStore, 'byCustomers'>;
  readonly customers: Pick<CustomerStore, 'byIds'>;
  readonly hiddenWallets: Pick<HiddenWalletStore, 'list'>;
}

/** People that are read together. */
const PEOPLE_PER_BATCH = 500;

/** The followers that were changed since a moment, page by page; since 0 everybody. */
export function changedFollowers(
  followers: Pick<FollowerStore, 'changedSince'>,
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

/**
 * The people with these customer ids, in that order, without those who are gone or banned. Four reads, and one more for customers that were merged.
 */
export async function readPeople(
  { followers, keys, customers, hiddenWallets }: PeopleStores,
  ids: readonly string[],
  now: EpochMs,
): Promise<People> {
  const owners = await ownersOf(customers, ids);
  // While two customers are merged, the follows and keys of both may be in either row.
  const asked = [...new Set([...ids, ...Array.from(owners.values(), ({ id }) => id)])];
  const [rows, held, hidden] = await Promise.all([
    followers.byIds(asked),
    keys.byCustomers(asked),
    hiddenAddresses(hiddenWallets),
  ]);
  const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
  const keysOf = Map.groupBy(held, ({ customerId }) => customerId);
  const people = [...owners].flatMap(([id, { id: customerId }]) => {
    const follower = byCustomer.get(id) ?? byCustomer.get(customerId);
    if (follower === undefined) return [];
    const tier = bestTier(
      [id, customerId].flatMap((each) => keysOf.get(each) ?? []),
      now,
    );
    const { isRealtime } = TIER_POLICIES[tier];
    const follows = withoutHidden(activeFollows(follower, tier), hidden);
    return [[id, { customerId, follower, follows, isRealtime }] as const];
  });
  return { people, withoutRow: ids.filter((id) => !byCustomer.has(id)) };
}

/** Recipient and times of a message about something that happened at a time; people without real time get it at the free delay. */
export function addressedTo(
  person: Person,
  { createdAt, freeDelayMs }: { readonly createdAt: EpochMs; readonly freeDelayMs: number },
): { readonly recipient: Recipient; readonly createdAt: EpochMs; readonly dueAt: EpochMs } {
  const recipient = `customer:${person.customerId}` as const;
  return { recipient, createdAt, dueAt: createdAt + alertAgeFor(person, { freeDelayMs }) };
}

/** The facts about a person that all their messages have in common. */
export function personalFactsOf({ follower: { place }, isRealtime }: Person): PersonalFacts {
  return { place, isRealtime };
}

/** The customers, or those into which they were merged, without those who are banned or being erased. */
async function ownersOf(
  customers: PeopleStores['customers'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, CustomerRecord>> {
  const records = new Map<string, CustomerRecord>();
  for (let missing = [...new Set(ids)]; missing.length > 0; ) {
    const found = await customers.byIds(missing);
    for (const record of found) records.set(record.id, record);
    const into = found.flatMap(({ mergedInto }) => mergedInto ?? []);
    missing = [...new Set(into)].filter((id) => !records.has(id));
  }
  const owners = new Map<string, CustomerRecord>();
  for (const id of ids) {
    let owner = records.get(id);
    // The younger is merged into the older: there is no cycle.
    while (owner !== undefined && owner.mergedInto !== null) owner = records.get(owner.mergedInto);
    if (owner !== undefined && owner.bannedAt === null && owner.erasingAt === null) owners.set(id, owner);
  }
  return owners;
}
