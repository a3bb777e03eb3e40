import type { EpochMs } from '../../base/time/duration.ts';
import type { Tier } from '../tier.ts';
import type { ApiKey, FormerSecret, Handover } from './api-key.ts';

/** The result of inserting a customer's key. */
export type KeyInsert = 'inserted' | 'lookup_taken' | 'request_taken' | 'too_many';

/** A new secret for a key. */
export interface Rotation {
  /** The current lookup part. The rotation fails if it has changed, so that of two concurrent rotations one succeeds. */
  readonly from: string;
  readonly lookup: string;
  readonly hash: string;
  readonly previous: FormerSecret | null;
  readonly handover: Handover;
}

/** `changed`: the key does not exist any more, is revoked, or has another secret. */
export type RotationResult = 'rotated' | 'changed' | 'lookup_taken' | 'request_taken';

/** Query for ends of trials after `from` and at or before `until`; `after`: the last key of the page before. */
export interface EndedTrials {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly limit: number;
  readonly after?: Pick<ApiKey, 'id' | 'trialEndsAt'> | undefined;
}

/** Stored keys. Only hashes of secrets are stored. */
export interface KeyStore {
  /** False if `lookup` is taken; it is unique among current and former secrets. */
  insert(key: ApiKey): Promise<boolean>;
  /** Inserts a key if its customer has fewer than `cap` that are not revoked. Concurrent inserts do not exceed the cap. */
  insertWithin(key: ApiKey & { readonly customerId: string }, cap: number): Promise<KeyInsert>;
  /** The key whose current or former secret, expired or not, has this lookup part. */
  byLookup(lookup: string): Promise<ApiKey | null>;
  byId(id: string): Promise<ApiKey | null>;
  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ApiKey[]>;
  /** The customer's keys that are not revoked, oldest first, ties by id. */
  byCustomer(customerId: string): Promise<readonly ApiKey[]>;
  /** Ids of all the customer's keys, revoked ones included. */
  idsOf(customerId: string): Promise<readonly string[]>;
  /** The key whose handover, of the current or of a former secret, has this request. */
  byRequest(request: string): Promise<ApiKey | null>;
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False if there is no such key. Revoking again keeps the first time. */
  revoke(id: string, at: EpochMs): Promise<boolean>;
  /** Revokes a key that was never shown, and frees its requests; false if it was shown or rotated, or does not exist. */
  retire(id: string, at: EpochMs): Promise<boolean>;
  rotate(id: string, rotation: Rotation): Promise<RotationResult>;
  /** False if there is no such key. */
  rename(id: string, name: string): Promise<boolean>;
  /** False if the handover of the key has another request. */
  confirmShown(id: string, request: string): Promise<boolean>;
  /**
   * Stores the first use; false if it is stored, or there is no such key. The use of the only secret that the key ever had also
   * confirms its handover.
   */
  markFirstUsed(id: string, at: EpochMs): Promise<boolean>;
  setTier(id: string, tier: Tier, trialEndsAt: EpochMs | null): Promise<boolean>;
  /** Like `setTier`, if the trial of the key ends at `from`; false otherwise. */
  moveTrial(
    id: string,
    from: EpochMs,
    to: { readonly tier: Tier; readonly trialEndsAt: EpochMs },
  ): Promise<boolean>;
  /** Grows after each change of a key's tier, trial, secret or end, by whatever process. */
  changes(): Promise<number>;
  /** Keys stored as Pro that are not revoked and whose trial ends in the window, oldest end first. */
  endedTrials(query: EndedTrials): Promise<readonly ApiKey[]>;
  /** Moves all keys of one customer to another, without a cap. */
  moveAll(from: string, to: string): Promise<void>;
  /** Deletes all keys of the customer. */
  removeAll(customerId: string): Promise<void>;
}

/** Calls per key and UTC day (`YYYY-MM-DD`). Counts of several processes add up. */
export interface UsageStore {
  add(day: string, counts: ReadonlyMap<string, number>): Promise<void>;
  get(keyId: string, day: string): Promise<number>;
  /** The calls of these days; a day without calls may be missing. */
  history(keyId: string, days: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes the days before this one. Returns the number of deleted counts. */
  prune(beforeDay: string): Promise<number>;
}
