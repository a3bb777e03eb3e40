import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { KeyStore } from '../keys/api-key.ts';
import type { Hasher } from '../keys/key-text.ts';
import type { PresetStore } from '../presets/preset.ts';

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

/** A person on a platform, owned by a customer. (platform, userId) belongs to one customer at most. */
export interface Handle extends Visitor {
  /** False after the platform reports that the person blocked the bot, until they write again. */
  readonly isReachable: boolean;
}

/** The trial of a person. */
export interface Trial {
  /** The request that started it (`Handover.request`). */
  readonly request: string;
  readonly startedAt: EpochMs;
  readonly endsAt: EpochMs;
}

/** A customer: a person on one platform, or on several linked ones. */
export interface Customer {
  /** `cus_` and 16 characters. */
  readonly id: string;
  readonly handles: readonly Handle[];
  readonly trial: Trial | null;
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
}

/** Limits per customer. */
export const CUSTOMER_LIMITS = { activeKeys: 3, linkCodeMs: 600_000 } as const;

/** A stored customer; its handles are separate rows. */
export interface CustomerRecord {
  readonly id: string;
  readonly trial: Trial | null;
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
  /** The customer this one was merged into; null when it was not merged. */
  readonly mergedInto: string | null;
  /** Whether keys and handles were moved, too. */
  readonly isMoved: boolean;
  /** When its erasure began; null without one. */
  readonly erasingAt: EpochMs | null;
  /** Number of changes, for optimistic locking. */
  readonly version: number;
}

/** A handle with its owner. */
export interface OwnedHandle extends Handle {
  readonly customerId: string;
}

/** A link code, by its hash. */
export interface LinkCode {
  readonly customerId: string;
  readonly hash: string;
  readonly expiresAt: EpochMs;
}

/** Identifies a person on a platform. */
export type HandleId = Pick<Visitor, 'platform' | 'userId'>;

/** Query for customers that are neither merged, nor banned, nor being erased, by id. */
export interface CustomerQuery {
  readonly after?: string;
  readonly limit: number;
  /** Only those whose trial ends after `from` and at or before `until`. */
  readonly trialEnds?: { readonly from: EpochMs; readonly until: EpochMs };
}

/** Store of customers. A write of one row is atomic; several rows are not written together. */
export interface CustomerStore {
  /** Stores a person's name and chat, as reachable, under `candidate` if new. Concurrent calls agree. */
  touch(visitor: Visitor, candidate: string): Promise<string>;
  handle(id: HandleId): Promise<OwnedHandle | null>;
  /** In the order of `PLATFORMS`. */
  handlesOf(customerIds: readonly string[]): Promise<readonly OwnedHandle[]>;
  /** By name, ignoring case. */
  handlesByName(name: string, limit: number): Promise<readonly OwnedHandle[]>;
  /** No effect for an unknown person. */
  markUnreachable(platform: Platform, userId: string): Promise<void>;
  moveHandles(from: string, to: string): Promise<void>;
  blankHandles(customerId: string): Promise<void>;
  removeHandles(customerId: string): Promise<void>;

  /** False when the id is taken. */
  insert(record: CustomerRecord): Promise<boolean>;
  get(id: string): Promise<CustomerRecord | null>;
  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly CustomerRecord[]>;
  /** Replaces the record with the same id and version, and increments the version; false without such a record. */
  replace(record: CustomerRecord): Promise<boolean>;
  remove(id: string): Promise<void>;
  mergedInto(id: string): Promise<readonly CustomerRecord[]>;
  /** Customers with an incomplete merge or erasure, in any order. */
  unfinished(limit: number): Promise<readonly CustomerRecord[]>;
  page(query: CustomerQuery): Promise<readonly CustomerRecord[]>;
  /** Number of customers that are neither merged nor being erased: all, and those created at `since` or later. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }>;

  /** Stores the customer's code, replacing the former one. */
  putCode(code: LinkCode): Promise<void>;
  code(hash: string): Promise<LinkCode | null>;
  /** Removes a code; true for exactly one of several concurrent callers. */
  takeCode(hash: string): Promise<boolean>;
  removeCodesOf(customerId: string): Promise<void>;
  pruneCodes(now: EpochMs): Promise<number>;

  /** Records that a trial was used, by the marks of its owner's handles; never removed. */
  addPastTrials(marks: readonly string[]): Promise<void>;
  /** Whether any of the marks is stored. */
  hasPastTrial(marks: readonly string[]): Promise<boolean>;
}

/** Dependencies of `CustomerService`. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: KeyStore;
  readonly presets: Pick<PresetStore, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  readonly chat: {
    moveAll(from: `customer:${string}`, into: `customer:${string}`): Promise<unknown>;
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  /** What customers follow; `join` gives it to the customer they are merged into. Both are repeatable. */
  readonly followers: {
    join(move: { readonly from: string; readonly into: string; readonly now: EpochMs }): Promise<void>;
    remove(customerId: string): Promise<unknown>;
  };
  readonly questions: { remove(person: HandleId): Promise<unknown> };
  readonly keyMessages: { removeInChats(chats: readonly string[]): Promise<unknown> };
  /** Slow: limited by `limitedHasher`. */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** SHA-256 as text, under which link codes are stored. */
  readonly digest: (text: string) => string;
  /** Clears what the database files still contain of deleted rows. Never rejects. */
  readonly purgeDeleted: () => Promise<void>;
  /** Salted hash of a handle, kept after its data is erased. */
  readonly markOf: (handle: HandleId) => Promise<string>;
}
