import type { ApiKey, KeyLimits } from '../keys/api-key.ts';
import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import type { Customer, Platform, Visitor } from './customer.ts';

/** Bounds of what a customer has. */
export const CUSTOMER_LIMITS = { activeKeys: 3, linkCodeMs: 600_000 } as const;

/** A key for a customer. `request` names the tap: the same request never gives two keys. */
export interface KeyRequest {
  readonly customerId: string;
  readonly tier: 'free' | 'pro';
  readonly request: string;
}

/**
 * `secret` is the whole key, here for the only time. `trialUsed`: pro was asked for, and it is a free key, as the
 * customer had the trial before.
 */
export type KeyRequestResult =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string; readonly trialUsed: boolean }
  /** `already_shown`: this request gave a key, and the message with it has arrived. */
  | { readonly ok: false; readonly reason: 'already_shown'; readonly key: ApiKey }
  | { readonly ok: false; readonly reason: 'too_many_keys' | 'banned' | 'unknown_customer' };

/** A new secret for a key of the customer. */
export interface RotateRequest {
  readonly customerId: string;
  readonly keyId: string;
  /** Whether the old secret works for 24 hours more, or dies now. */
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

/** `own_code`: it was made by this very customer. `too_many_keys`: the two have more than one customer may. */
export type LinkResult =
  | { readonly ok: true; readonly customer: Customer }
  | { readonly ok: false; readonly reason: 'unknown_code' | 'own_code' | 'banned' | 'too_many_keys' };

/** People and their keys. What a chat or the operator asks for goes through here; several at once are safe. */
export interface CustomerService {
  /** The customer who writes, made when they are new. Remembers their name and where to write to them. */
  visit(visitor: Visitor): Promise<Customer>;
  byId(id: string): Promise<Customer | null>;
  /**
   * Everybody a text may mean: `cus_…`, `key_…`, `telegram:123`, `@name` or a name, a key or the beginning of one
   * (`sk_live_` and 10 characters or more). At most 20.
   */
  find(text: string): Promise<readonly Customer[]>;
  /** Keys that are not revoked, oldest first. */
  keysOf(customerId: string): Promise<readonly ApiKey[]>;
  /**
   * Gives a key. A key whose message may not have arrived, of this request or an earlier one, is revoked first; a trial
   * that began with such a key goes on with the new one.
   */
  requestKey(request: KeyRequest): Promise<KeyRequestResult>;
  /** Whether a Pro key that is asked for now would be in the trial, which everybody gets once. */
  mayHaveTrial(customerId: string): Promise<boolean>;
  /** The same record, a new secret (design, rotation). */
  rotate(request: RotateRequest): Promise<RotateResult>;
  /** The message with the key of this request has arrived. */
  confirmShown(keyId: string, request: string): Promise<void>;
  rename(customerId: string, keyId: string, name: string): Promise<CustomerKeyResult>;
  revoke(customerId: string, keyId: string): Promise<CustomerKeyResult>;
  /** A code that links whoever gives it, once, within 10 minutes. */
  startLink(customerId: string): Promise<{ readonly code: string; readonly expiresAt: EpochMs }>;
  /** Makes the two one, under the id of the older: with the keys of both and the earlier trial. */
  link(customerId: string, code: string): Promise<LinkResult>;
  /** Revokes and removes everything, messages that wait included; a salted hash of each handle that had a trial stays. */
  erase(customerId: string): Promise<void>;
  /** No message can be sent there until they write again. */
  markUnreachable(platform: Platform, userId: string): Promise<void>;
  /** The owner of a key that was found in public: the whole key is checked. Null when it is nobody's. */
  ownerOfSecret(secret: string): Promise<{ readonly key: ApiKey; readonly customer: Customer | null } | null>;

  /** For the operator. False or a reason when there is no such customer or key. */
  ban(customerId: string): Promise<boolean>;
  unban(customerId: string): Promise<boolean>;
  /** Moves the end of a trial that began, and of the keys in it, so many days on; of one that ended, from now. */
  extendTrial(customerId: string, days: number): Promise<Customer | 'unknown_customer' | 'no_trial'>;
  setTier(keyId: string, tier: Tier): Promise<ApiKey | 'unknown_key' | 'revoked_key'>;
  /** An enterprise key; for nobody in chat when `customerId` is null. */
  provision(request: {
    readonly customerId: string | null;
    readonly name: string;
    readonly limits: KeyLimits | null;
  }): Promise<
    | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
    | { readonly ok: false; readonly reason: 'unknown_customer' | 'bad_name' | 'bad_limits' }
  >;
  /** Everybody who may be written to, a page at a time by id. */
  page(query: { readonly after?: string; readonly limit: number }): Promise<readonly Customer[]>;
  /** Customers whose trial ends after `from` and at or before `until`, a page at a time by id. */
  trialsEnding(query: {
    readonly from: EpochMs;
    readonly until: EpochMs;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly Customer[]>;
  /** Keys that are still written as pro and whose trial has ended, oldest end first. */
  endedTrials(limit: number): Promise<readonly ApiKey[]>;
  /** Writes such a key as free; its trial end stays. Nothing when the trial was extended meanwhile. */
  settleTrial(key: Pick<ApiKey, 'id' | 'trialEndsAt'>): Promise<void>;
  /** Forgets link codes that can no longer be used. Returns how many. */
  pruneLinkCodes(): Promise<number>;
  /** Ends merges and removals that a crash left half done. Returns how many there were, 100 at most. */
  resumeInterrupted(): Promise<number>;
  /** How many customers there are, and how many came since the moment. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }>;
}
