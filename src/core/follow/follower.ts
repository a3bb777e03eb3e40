import type { Platform } from '../accounts/customers/customer.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** How a match is announced: with a sound, without one, or only in the evening list. */
export const FOLLOW_MODES = ['normal', 'silent', 'daily'] as const;
export type FollowMode = (typeof FOLLOW_MODES)[number];

/** What a person follows: a wallet, a market, or every alert that passes a filter (a rule). */
export type FollowSubject =
  | { readonly kind: 'wallet' /** In lower case. */; readonly wallet: string }
  | {
      readonly kind: 'market';
      readonly marketId: string;
      readonly title: string;
      readonly slug: string;
    }
  | { readonly kind: 'filter'; readonly filter: LastingFilter };

/** Something that a person follows. */
export interface Follow {
  /** `a1`, `a2` …: unique among the follows of the person and never used again, so that old buttons name no other. */
  readonly id: string;
  /** The person's own name for it; null without one. */
  readonly nickname: string | null;
  readonly subject: FollowSubject;
  readonly mode: FollowMode;
  /** Whether the person paused it. A pause by the limit of the tier is not stored (`activeFollows`). */
  readonly isPaused: boolean;
  readonly createdAt: EpochMs;
}

/** What a person can mute for a while. */
export type MuteSubject = Exclude<FollowSubject, { kind: 'filter' }>;

/** A wallet, a market, or everything (the filter without conditions) that is silenced until a time. */
export interface Mute {
  readonly subject: FollowSubject;
  /** Exclusive. */
  readonly until: EpochMs;
}

/**
 * Two different whole hours of the person's zone, 0 to 23; from the first up to the second (exclusive), possibly over midnight.
 */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** What a customer follows, and how they are notified. */
export interface Follower {
  readonly customerId: string;
  /** Oldest first. */
  readonly follows: readonly Follow[];
  readonly mutes: readonly Mute[];
  /** An IANA name (`Europe/Paris`); null before the person was asked: UTC. */
  readonly zone: string | null;
  readonly quiet: QuietHours | null;
  /** Of the customer: where their messages go. */
  readonly platform: Platform;
  /** Number of the next follow's id. */
  readonly nextFollow: number;
  readonly createdAt: EpochMs;
  /** Of the last change, by the clock of the process that made it. */
  readonly changedAt: EpochMs;
  /** Number of changes, for optimistic locking; 0 before the first is stored. */
  readonly version: number;
}

/** Query for followers that were changed at `since` or later. `after`: the last follower of the page before. */
export interface ChangedFollowers {
  readonly since: EpochMs;
  readonly limit: number;
  readonly after?: Pick<Follower, 'changedAt' | 'customerId'> | undefined;
}

/** For the operator: sums over all people. */
export interface FollowCounts {
  /** Customers who follow something or have set something. */
  readonly people: number;
  /** Follows by what they follow, paused ones included. */
  readonly follows: Readonly<Record<FollowSubject['kind'], number>>;
  readonly platforms: Readonly<Record<Platform, number>>;
}

/** Store of followers, one row per customer. Each write is atomic. */
export interface FollowerStore {
  get(customerId: string): Promise<Follower | null>;
  /** The existing ones, in any order. */
  byIds(customerIds: readonly string[]): Promise<readonly Follower[]>;
  /** Stores a follower under the next version: version 0 as a new row, others in place of the row with the same version. False where there is another. */
  put(follower: Follower): Promise<boolean>;
  remove(customerId: string): Promise<void>;
  /** Oldest change first, ties by customer id; since 0 it is everybody. Removed rows are not included. */
  changedSince(query: ChangedFollowers): Promise<readonly Follower[]>;
  counts(): Promise<FollowCounts>;
}
