import type { Platform } from '../accounts/customers/customer.ts';
import type { CustomerService } from '../accounts/customers/customer-service.ts';
import type { Keys } from '../accounts/keys/api-key.ts';
import type { Tier } from '../accounts/tier.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { bestTier, FOLLOW_LIMITS, subjectKey } from './active-follows.ts';
import {
  changedFollow,
  FOLLOWER_LIMITS,
  type FollowChange,
  type FollowRefusal,
  inLowerCase,
} from './follow-change.ts';
import type { Follow, Follower, Followers, FollowSubject, QuietHours } from './follower.ts';

/** The person making a change and where they write from; their messages go there. */
export interface FollowPerson {
  readonly customerId: string;
  readonly platform: Platform;
}

/** The person as stored afterwards, or why nothing was changed. */
export type FollowerChange = { readonly ok: true; readonly follower: Follower } | FollowRefusal;
/** The same with the follow that was added, changed or removed. */
export type FollowResult =
  | { readonly ok: true; readonly follower: Follower; readonly follow: Follow }
  | FollowRefusal;

/** Dependencies of `FollowService`. */
export interface FollowServiceOptions {
  readonly followers: Pick<Followers, 'get' | 'put' | 'remove'>;
  readonly customers: Pick<CustomerService, 'byId'>;
  readonly keys: Pick<Keys, 'byCustomer'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Changed {
  readonly next: Follower;
  readonly follow: Follow;
}

const UNKNOWN_FOLLOW = { ok: false, reason: 'unknown_follow' } as const;

/** What people follow and how they are notified. Safe for concurrent calls, also from several processes. */
export class FollowService {
  readonly #options: FollowServiceOptions;

  constructor(options: FollowServiceOptions) {
    this.#options = options;
  }

  /** What the person follows and has set. For a new person it is empty, and nothing is stored. */
  async of(person: FollowPerson): Promise<Follower> {
    return (await this.#options.followers.get(person.customerId)) ?? this.#newFollower(person);
  }

  /** The tier of a person's messages now. */
  async tierOf(customerId: string): Promise<Tier> {
    return bestTier(await this.#options.keys.byCustomer(customerId), this.#options.clock.now());
  }

  /** Adds a follow within the limit of the person's tier; paused ones count too. */
  add(person: FollowPerson, subject: FollowSubject): Promise<FollowResult> {
    const createdAt = this.#options.clock.now();
    return this.#insert(person, (follower) => ({
      id: followId(follower.nextFollow),
      nickname: null,
      subject: inLowerCase(subject),
      mode: 'normal',
      isPaused: false,
      createdAt,
    }));
  }

  /** Restores a removed follow under its former id, for Undo. */
  restore(person: FollowPerson, follow: Follow): Promise<FollowResult> {
    return this.#insert(person, () => follow);
  }

  change(person: FollowPerson, id: string, change: FollowChange): Promise<FollowResult> {
    return this.#change<Changed>(person, (follower) => {
      const found = follower.follows.find((follow) => follow.id === id);
      if (found === undefined) return UNKNOWN_FOLLOW;
      const follow = changedFollow(found, change);
      if ('ok' in follow) return follow;
      const same = followOf(follower, follow.subject);
      if (same !== undefined && same.id !== id)
        return { ok: false, reason: 'already_followed', follow: same };
      const follows = follower.follows.map((each) => (each === found ? follow : each));
      return { next: { ...follower, follows }, follow };
    });
  }

  /** Returns the follow that was removed. */
  remove(person: FollowPerson, id: string): Promise<FollowResult> {
    return this.#change<Changed>(person, (follower) => {
      const follow = follower.follows.find((each) => each.id === id);
      if (follow === undefined) return UNKNOWN_FOLLOW;
      return { next: { ...follower, follows: follower.follows.filter((each) => each !== follow) }, follow };
    });
  }

  /** Mutes a wallet, a market or everything until a given time; this replaces an earlier mute. */
  mute(person: FollowPerson, subject: FollowSubject, until: EpochMs): Promise<FollowerChange> {
    const muted = inLowerCase(subject);
    return this.#change(person, (follower) => {
      const others = mutesBut(follower, muted);
      if (others.length >= FOLLOWER_LIMITS.mutes)
        return { ok: false, reason: 'too_many_mutes', limit: FOLLOWER_LIMITS.mutes };
      return { next: { ...follower, mutes: [...others, { subject: muted, until }] } };
    });
  }

  /** Ends a mute, if there is one. */
  unmute(person: FollowPerson, subject: FollowSubject): Promise<FollowerChange> {
    return this.#change(person, (follower) => ({
      next: { ...follower, mutes: mutesBut(follower, inLowerCase(subject)) },
    }));
  }

  /** Null: no quiet hours. */
  setQuiet(person: FollowPerson, quiet: QuietHours | null): Promise<FollowerChange> {
    return this.#change(person, (follower) => ({ next: { ...follower, quiet } }));
  }

  /** `zone`: one of those that `zonesNamed` gives. */
  setZone(person: FollowPerson, zone: string): Promise<FollowerChange> {
    return this.#change(person, (follower) => ({ next: { ...follower, zone } }));
  }

  async #insert(person: FollowPerson, make: (follower: Follower) => Follow): Promise<FollowResult> {
    const tier = await this.tierOf(person.customerId);
    const limit = FOLLOW_LIMITS[tier];
    return this.#change<Changed>(person, (follower) => {
      const follow = make(follower);
      const same = followOf(follower, follow.subject);
      if (same !== undefined) return { ok: false, reason: 'already_followed', follow: same };
      if (follower.follows.length >= limit) return { ok: false, reason: 'too_many_follows', limit, tier };
      const follows = oldestFirst([...follower.follows, follow]);
      const isNew = follow.id === followId(follower.nextFollow);
      return { next: { ...follower, follows, nextFollow: follower.nextFollow + Number(isNew) }, follow };
    });
  }

  /** Replaces the person's row with `next`, computed again if another call was faster. */
  async #change<Result extends { readonly next: Follower }>(
    person: FollowPerson,
    step: (follower: Follower) => Result | FollowRefusal,
  ): Promise<({ readonly ok: true; readonly follower: Follower } & Omit<Result, 'next'>) | FollowRefusal> {
    const { followers, clock } = this.#options;
    for (;;) {
      const now = clock.now();
      const result = step(withoutEnded(await this.of(person), now));
      if (!('next' in result)) return result;
      const { next, ...rest } = result;
      if (!(await followers.put({ ...next, changedAt: now }))) continue;
      const follower = { ...next, changedAt: now, version: next.version + 1 };
      if (next.version > 0 || (await this.#isKept(follower))) return { ok: true, follower, ...rest };
      return { ok: false, reason: 'erased' };
    }
  }

  /** A new row may be stored after its customer was erased, which did not find it: then it is removed too. */
  async #isKept({ customerId }: Follower): Promise<boolean> {
    const { followers, customers } = this.#options;
    const owner = await customers.byId(customerId);
    const isKept = owner !== null && owner.bannedAt === null;
    if (!isKept) await followers.remove(customerId);
    return isKept;
  }

  #newFollower({ customerId, platform }: FollowPerson): Follower {
    const now = this.#options.clock.now();
    return {
      customerId,
      follows: [],
      mutes: [],
      zone: null,
      quiet: null,
      platform,
      nextFollow: 1,
      createdAt: now,
      changedAt: now,
      version: 0,
    };
  }
}

/** The id of a follow by its number. */
function followId(number: number): string {
  return `a${number}`;
}

/** In the order in which the follows were made; follows of the same moment keep their order. */
function oldestFirst(follows: readonly Follow[]): readonly Follow[] {
  return follows.toSorted((one, other) => one.createdAt - other.createdAt);
}

function followOf({ follows }: Follower, subject: FollowSubject): Follow | undefined {
  const key = subjectKey(subject);
  return follows.find((follow) => subjectKey(follow.subject) === key);
}

function mutesBut({ mutes }: Follower, subject: FollowSubject) {
  const key = subjectKey(subject);
  return mutes.filter((mute) => subjectKey(mute.subject) !== key);
}

function withoutEnded(follower: Follower, now: EpochMs): Follower {
  return { ...follower, mutes: follower.mutes.filter(({ until }) => until > now) };
}
