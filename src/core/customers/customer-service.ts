import type { Clock } from '../clock.ts';
import type { ApiKey, KeyLimits } from '../keys/api-key.ts';
import type { Hasher } from '../keys/hasher.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { PresetStore } from '../presets/preset.ts';
import type { RandomText } from '../random-text.ts';
import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import type { Customer, Platform, Visitor } from './customer.ts';
import type { CustomerStore, HandleId } from './customer-store.ts';

/** Limits per customer. */
export const CUSTOMER_LIMITS = { activeKeys: 3, linkCodeMs: 600_000 } as const;

/** Request for a key. `request` identifies the tap: one request never gives two keys. */
export interface KeyRequest {
  readonly customerId: string;
  readonly tier: 'free' | 'pro';
  readonly request: string;
}

/**
 * `secret`: the whole key, returned only here. `trialUsed`: a Pro key was requested, but it is a Free one because the
 * customer already had the trial.
 */
export type KeyRequestResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string; readonly trialUsed: boolean }
  /** `already_shown`: this request already gave a key, whose message was delivered. */
  | { readonly ok: false; readonly reason: 'already_shown'; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'too_many_keys' | 'banned' | 'unknown_customer' };

/** A new secret for a key of the customer. */
export interface RotateRequest {
  readonly customerId: string;
  readonly keyId: string;
  /** Whether the old secret works for another 24 hours, or ends now. */
  readonly keepOld: boolean;
  readonly request: string;
}

/** As `KeyRequestResult`. */
export type RotateResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
  | { readonly ok: false; readonly reason: 'already_shown'; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'banned' | 'unknown_customer' };

/** A change of one key of a customer. */
export type CustomerKeyResult =
  | { readonly ok: true; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'bad_name' };

/** `own_code`: this customer made the code. `too_many_keys`: together the two have more keys than one customer may. */
export type LinkResult =
  | { readonly ok: true; readonly customer: Customer }
  | { readonly ok: false; readonly reason: 'unknown_code' | 'own_code' | 'banned' | 'too_many_keys' };

/** Customers and their keys, for the chats and the operator. Safe for concurrent calls. */
export interface CustomerService {
  /** The customer of a visitor, created when new. Updates the name and chat of the handle. */
  visit(visitor: Visitor): Promise<Customer>;
  byId(id: string): Promise<Customer | null>;
  /**
   * Customers that match a text: `cus_…`, `key_…`, `telegram:123`, `@name` or a name, a key or its beginning (`sk_live_`
   * and at least 10 characters). At most 20.
   */
  find(text: string): Promise<readonly Customer[]>;
  /** Keys that are not revoked, oldest first. */
  keysOf(customerId: string): Promise<readonly ApiKey[]>;
  /**
   * Issues a key. Keys whose message was not confirmed, of this request or an earlier one, are revoked first; a trial that
   * began with such a key continues with the new one.
   */
  requestKey(request: KeyRequest): Promise<KeyRequestResult>;
  /** Whether a Pro key requested now would be in the trial, which each person gets once. */
  mayHaveTrial(customerId: string): Promise<boolean>;
  /** Replaces the secret of a key; its record stays. */
  rotate(request: RotateRequest): Promise<RotateResult>;
  /** Records that the message with the key of this request was delivered. */
  confirmShown(keyId: string, request: string): Promise<void>;
  rename(customerId: string, keyId: string, name: string): Promise<CustomerKeyResult>;
  revoke(customerId: string, keyId: string): Promise<CustomerKeyResult>;
  /** A code that links another handle, once, within 10 minutes. */
  startLink(customerId: string): Promise<{ readonly code: string; readonly expiresAt: EpochMs }>;
  /** Merges the two under the id of the older: with the keys of both and the earlier trial. */
  link(customerId: string, code: string): Promise<LinkResult>;
  /** Revokes all keys and removes all data, pending messages included; a salted hash of each handle with a trial stays. */
  erase(customerId: string): Promise<void>;
  /** Marks a handle as blocked until its person writes again. */
  markUnreachable(platform: Platform, userId: string): Promise<void>;
  /** The owner of a leaked key, which is verified as a whole. Null when it is no valid key. */
  ownerOfSecret(secret: string): Promise<{ readonly key: ApiKey; readonly customer: Customer | null } | null>;

  /** For the operator. False, or a reason, for an unknown customer or key. */
  ban(customerId: string): Promise<boolean>;
  unban(customerId: string): Promise<boolean>;
  /** Extends a trial and the keys in it by so many days; an ended trial from now on. */
  extendTrial(customerId: string, days: number): Promise<Customer | 'unknown_customer' | 'no_trial'>;
  setTier(keyId: string, tier: Tier): Promise<ApiKey | 'unknown_key' | 'revoked_key'>;
  /** Issues an Enterprise key; without an owner in chat when `customerId` is null. */
  provision(request: {
    readonly customerId: string | null;
    readonly name: string;
    readonly limits: KeyLimits | null;
  }): Promise<
    | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
    | { readonly ok: false; readonly reason: 'unknown_customer' | 'bad_name' | 'bad_limits' }
  >;
  /** Customers that can receive messages, in pages by id. */
  page(query: { readonly after?: string; readonly limit: number }): Promise<readonly Customer[]>;
  /** Customers whose trial ends after `from` and at or before `until`, in pages by id. */
  trialsEnding(query: {
    readonly from: EpochMs;
    readonly until: EpochMs;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly Customer[]>;
  /** Keys still stored as Pro whose trial has ended, oldest end first. */
  endedTrials(limit: number): Promise<readonly ApiKey[]>;
  /** Stores such a key as Free; its trial end stays. No change when the trial was extended meanwhile. */
  settleTrial(key: Pick<ApiKey, 'id' | 'trialEndsAt'>): Promise<void>;
  /** Removes expired link codes. Returns how many. */
  pruneLinkCodes(): Promise<number>;
  /** Completes merges and erasures that a crash interrupted. Returns how many there were, 100 at most. */
  resumeInterrupted(): Promise<number>;
  /** Number of customers, and of those created since the moment. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }>;
}

/** Dependencies of the customer service. */
export interface CustomerServiceDeps {
  readonly customers: CustomerStore;
  readonly keys: KeyStore;
  readonly presets: Pick<PresetStore, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  /** Removes all messages to these recipients. */
  readonly chat: {
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  /** Slow: limited by `limitedHasher`. */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** SHA-256 as text, under which link codes are stored. */
  readonly digest: (text: string) => string;
  /** Salted hash of a handle, kept after its data is erased. */
  readonly markOf: (handle: HandleId) => Promise<string>;
}
