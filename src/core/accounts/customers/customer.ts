import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Keys } from '../keys/api-key.ts';
import type { Hasher } from '../keys/key-text.ts';
import type { Presets } from '../presets/preset.ts';

/** Platforms with bots and channels. */
export const BOT_PLATFORMS = ['telegram', 'discord'] as const;
/** Platforms of the chat. `terminal` is `tipoff chat`. */
export const PLATFORMS = [...BOT_PLATFORMS, 'terminal'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Display names of the platforms. */
export const PLATFORM_LABELS: Readonly<Record<Platform, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  terminal: 'this terminal',
};

/** The person who writes, as the platform describes them. */
export interface Visitor {
  readonly platform: Platform;
  readonly userId: string;
  /** Public name on the platform, without `@`; null without one. */
  readonly name: string | null;
  /** Address of private messages: the id of a chat, or of the person. */
  readonly chat: string;
}

/** The trial of a person. */
export interface Trial {
  /** The request that started it (`Handover.request`). */
  readonly request: string;
  readonly startedAt: EpochMs;
  readonly endsAt: EpochMs;
}

/** A customer: a person on one platform. (platform, userId) is one customer at most. */
export interface Customer extends Visitor {
  /** `cus_` and 16 characters. */
  readonly id: string;
  /** False after the platform reports that the person blocked the bot, until they write again. */
  readonly isReachable: boolean;
  readonly trial: Trial | null;
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** Most active keys of a customer. */
export const CUSTOMER_KEYS_MAX = 3;

/** A stored customer. */
export interface CustomerRecord extends Customer {
  /** When its erasure began; null without one. */
  readonly erasingAt: EpochMs | null;
  /** Number of changes by `replace`, for optimistic locking. */
  readonly version: number;
}

/** Identifies a person on a platform. */
export type HandleId = Pick<Visitor, 'platform' | 'userId'>;

/** Query for customers that are neither banned nor being erased, by id. */
export interface CustomerQuery {
  readonly after?: string;
  readonly limit: number;
  /** Only those whose trial ends after `from` and at or before `until`. */
  readonly trialEnds?: { readonly from: EpochMs; readonly until: EpochMs };
}

/** Store of customers. Each write is atomic. */
export interface CustomerStore {
  /** Stores a person's name and chat, as reachable; a new person as `candidate`. Gives the id. Concurrent calls agree. */
  touch(visitor: Visitor, candidate: Pick<Customer, 'id' | 'createdAt'>): Promise<string>;
  byPerson(person: HandleId): Promise<CustomerRecord | null>;
  /** By name, ignoring case. */
  byName(name: string, limit: number): Promise<readonly CustomerRecord[]>;
  /** No effect for an unknown person. */
  markUnreachable(platform: Platform, userId: string): Promise<void>;
  get(id: string): Promise<CustomerRecord | null>;
  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly CustomerRecord[]>;
  /** Stores trial, ban and erasure if the version is the stored one, and increments it; false otherwise. */
  replace(record: CustomerRecord): Promise<boolean>;
  /** Removes the name of a person. */
  blank(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Customers whose erasure began, in any order. */
  erasing(limit: number): Promise<readonly CustomerRecord[]>;
  page(query: CustomerQuery): Promise<readonly CustomerRecord[]>;
  /** Number of customers that are not being erased: all, and those created at `since` or later. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }>;
  /** Records that a person used their trial, by their mark; never removed. */
  addPastTrial(mark: string): Promise<void>;
  hasPastTrial(mark: string): Promise<boolean>;
}

/** Dependencies of `CustomerService`. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: Keys;
  readonly presets: Pick<Presets, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  readonly chat: {
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  readonly followers: { remove(customerId: string): Promise<unknown> };
  readonly questions: { remove(person: HandleId): Promise<unknown> };
  readonly keyMessages: { removeInChats(chats: readonly string[]): Promise<unknown> };
  /** Slow: it runs one hash at a time. */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** Clears what the database files still contain of deleted rows. Never rejects. */
  readonly purgeDeleted: () => Promise<void>;
  /** Salted hash of a person, kept after their data is erased. */
  readonly markOf: (person: HandleId) => Promise<string>;
}
