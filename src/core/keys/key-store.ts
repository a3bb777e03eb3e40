import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import type { ApiKey, FormerSecret, Handover } from './api-key.ts';

/** What came of an insert of a customer's key. */
export type KeyInsert = 'inserted' | 'lookup_taken' | 'request_taken' | 'too_many';

/** The secret a key is to have from now on. */
export interface Rotation {
  /** The lookup part it has now: only from there, so that of two rotations at once one wins. */
  readonly from: string;
  readonly lookup: string;
  readonly hash: string;
  readonly previous: FormerSecret | null;
  readonly handover: Handover;
}

/** `changed`: there is no such key any more, it is revoked, or has another secret. */
export type RotationResult = 'rotated' | 'changed' | 'lookup_taken' | 'request_taken';

/** Where keys rest. Only hashes are kept. */
export interface KeyStore {
  /** `lookup` is unique, among former secrets too: false when it is taken. */
  insert(key: ApiKey): Promise<boolean>;
  /** Inserts a key of a customer who has fewer than `cap` that are not revoked; many at once stay within it, too. */
  insertWithin(key: ApiKey & { readonly customerId: string }, cap: number): Promise<KeyInsert>;
  /** The key whose secret has this lookup part, or whose former secret has it, be that one over or not. */
  byLookup(lookup: string): Promise<ApiKey | null>;
  byId(id: string): Promise<ApiKey | null>;
  /** Those that exist, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ApiKey[]>;
  /** The customer's keys that are not revoked, oldest first, ties by id. */
  byCustomer(customerId: string): Promise<readonly ApiKey[]>;
  /** Of every key that was the customer's and was not removed, revoked ones included. */
  idsOf(customerId: string): Promise<readonly string[]>;
  /** The key with this request as its handover's, or as that of a secret it had before a rotation. */
  byRequest(request: string): Promise<ApiKey | null>;
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key. Revoking twice keeps the first moment. */
  revoke(id: string, at: EpochMs): Promise<boolean>;
  /** Revokes a key that nobody has seen, and frees its requests; false when it was shown or rotated, or is not there. */
  retire(id: string, at: EpochMs): Promise<boolean>;
  rotate(id: string, rotation: Rotation): Promise<RotationResult>;
  /** False when there is no such key. */
  rename(id: string, name: string): Promise<boolean>;
  /** False when the key's handover is not of this request. */
  confirmShown(id: string, request: string): Promise<boolean>;
  /**
   * Keeps the first moment; false when there is one, or no such key. Whoever uses the only secret a key ever had has
   * seen it: its handover is confirmed with it.
   */
  markFirstUsed(id: string, at: EpochMs): Promise<boolean>;
  setTier(id: string, tier: Tier, trialEndsAt: EpochMs | null): Promise<boolean>;
  /** As `setTier`, only while the trial of the key ends at `from`; false otherwise. */
  moveTrial(
    id: string,
    from: EpochMs,
    to: { readonly tier: Tier; readonly trialEndsAt: EpochMs },
  ): Promise<boolean>;
  /** Pro keys that are not revoked and whose trial is over at the moment, oldest end first. */
  endedTrials(now: EpochMs, limit: number): Promise<readonly ApiKey[]>;
  /** Gives all keys of one customer to another; caps do not hold here. */
  moveAll(from: string, to: string): Promise<void>;
  /** Removes every key of the customer for good. */
  removeAll(customerId: string): Promise<void>;
}

/** Calls per key and UTC day (`YYYY-MM-DD`). Adding is additive across processes. */
export interface UsageStore {
  add(day: string, counts: ReadonlyMap<string, number>): Promise<void>;
  get(keyId: string, day: string): Promise<number>;
  /** Forgets the days before this one. Returns how many counts. */
  prune(beforeDay: string): Promise<number>;
}
