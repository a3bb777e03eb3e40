import { z } from 'zod';
import { PLATFORMS, type Platform } from '../accounts/customers/customer.ts';
import type { LastingFilter } from '../alerts/passes-filter.ts';
import { paged } from '../base/async/paged.ts';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
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

/** Lists are JSON: nothing is asked of their inside. */
const schema = z.strictObject({
  /** Of the customer. */
  id: z.string(),
  follows: z.string(),
  mutes: z.string(),
  zone: z.string().nullable(),
  quiet: z.strictObject({ from: z.int(), to: z.int() }).nullable(),
  platform: z.enum(PLATFORMS),
  nextFollow: z.int(),
  createdAt: z.int(),
  changedAt: z.int(),
  version: z.int(),
});
type FollowerDocument = z.infer<typeof schema>;

const FOLLOWERS: Declaration<FollowerDocument> = {
  kind: 'followers',
  schema,
  indexes: { followers_by_change: { fields: ['changedAt'] } },
};

const COUNTED_AT_ONCE = 1_000;

/** Followers, one document per customer. Each write is atomic. */
export class Followers {
  readonly #documents: Documents<FollowerDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(FOLLOWERS);
  }

  async get(customerId: string): Promise<Follower | null> {
    const found = await this.#documents.get(customerId);
    return found && toFollower(found);
  }

  /** The existing ones, in any order. */
  async byIds(customerIds: readonly string[]): Promise<readonly Follower[]> {
    return (await this.#documents.find({ where: { id: { in: customerIds } } })).map(toFollower);
  }

  /**
   * Stores a follower under the next version: version 0 as a new document, others in place of the one with the same version. False
   * where there is another.
   */
  async put({ customerId: id, version, ...follower }: Follower): Promise<boolean> {
    const { follows, mutes, ...fields } = follower;
    const lists = { follows: JSON.stringify(follows), mutes: JSON.stringify(mutes) };
    const set = { ...fields, ...lists, version: version + 1 };
    if (version === 0) return (await this.#documents.insertMissing([{ id, ...set }])).length === 1;
    return (await this.#documents.update({ id, version }, { set })) === 1;
  }

  async remove(customerId: string): Promise<void> {
    await this.#documents.delete({ id: customerId });
  }

  /** Oldest change first, ties by customer id; since 0 it is everybody. Removed followers are not included. */
  async changedSince({ since, limit, after }: ChangedFollowers): Promise<readonly Follower[]> {
    const found = await this.#documents.find({
      where: { changedAt: { gte: since } },
      order: 'changedAt',
      after: after && { value: after.changedAt, id: after.customerId },
      limit,
    });
    return found.map(toFollower);
  }

  /** Reads every follower. */
  async counts(): Promise<FollowCounts> {
    const follows = { wallet: 0, market: 0, filter: 0 };
    const platforms = { telegram: 0, discord: 0, terminal: 0 };
    let people = 0;
    const limit = COUNTED_AT_ONCE;
    const page = (after: Follower | undefined) => this.changedSince({ since: 0, limit, after });
    for await (const follower of paged(page, limit)) {
      people += 1;
      platforms[follower.platform] += 1;
      for (const { subject } of follower.follows) follows[subject.kind] += 1;
    }
    return { people, follows, platforms };
  }
}

function toFollower({ id: customerId, follows, mutes, ...follower }: FollowerDocument): Follower {
  return { customerId, ...follower, follows: JSON.parse(follows), mutes: JSON.parse(mutes) };
}
