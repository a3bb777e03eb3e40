import type { CustomerServiceDeps } from '../accounts/customers/customer.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { subjectKey } from './active-follows.ts';
import type { Follow, Follower, FollowerStore, Mute } from './follower.ts';

/**
 * Gives what one customer follows to another, into whom they are merged. It may be repeated after any interruption, and either
 * row may change meanwhile: the old row is removed only if it is still as it was read.
 */
export async function joinFollowers(
  store: Pick<FollowerStore, 'get' | 'put' | 'remove'>,
  { from, into, now }: { readonly from: string; readonly into: string; readonly now: EpochMs },
): Promise<void> {
  for (;;) {
    const left = await store.get(from);
    if (left === null) return;
    const kept = await store.get(into);
    const next = kept === null ? { ...left, customerId: into, version: 0 } : joined(kept, left);
    if (!(await store.put({ ...next, changedAt: now }))) continue;
    if (await store.remove(from, left.version)) return;
  }
}

/** The follows of customers as `CustomerService` needs them: it knows nothing about their contents. */
export function followersOfCustomers(
  store: Pick<FollowerStore, 'get' | 'put' | 'remove'>,
): CustomerServiceDeps['followers'] {
  return {
    join: (move) => joinFollowers(store, move),
    remove: (customerId) => store.remove(customerId),
  };
}

/** `into` with the follows and mutes of `from` that it lacks, under new ids. Joining the same again changes nothing. */
export function joined(into: Follower, from: Follower): Follower {
  const known = new Set(into.follows.map(({ subject }) => subjectKey(subject)));
  const added = from.follows
    .filter(({ subject }) => !known.has(subjectKey(subject)))
    .map((follow, index) => ({ ...follow, id: followId(into.nextFollow + index) }));
  const hasTimes = into.zone !== null || into.quiet !== null;
  return {
    ...into,
    follows: oldestFirst([...into.follows, ...added]),
    mutes: longest([...into.mutes, ...from.mutes]),
    zone: hasTimes ? into.zone : from.zone,
    quiet: hasTimes ? into.quiet : from.quiet,
    destination: into.destination ?? from.destination,
    nextFollow: into.nextFollow + added.length,
    createdAt: Math.min(into.createdAt, from.createdAt),
  };
}

/** The id of a follow by its number. */
export function followId(number: number): string {
  return `a${number}`;
}

/** In the order in which the follows were made; follows of the same moment keep their order. */
export function oldestFirst(follows: readonly Follow[]): readonly Follow[] {
  return follows.toSorted((one, other) => one.createdAt - other.createdAt);
}

/** One mute per subject: the longest. */
function longest(mutes: readonly Mute[]): readonly Mute[] {
  const bySubject = new Map<string, Mute>();
  for (const mute of mutes) {
    const key = subjectKey(mute.subject);
    const known = bySubject.get(key);
    if (known === undefined || known.until < mute.until) bySubject.set(key, mute);
  }
  return [...bySubject.values()];
}
