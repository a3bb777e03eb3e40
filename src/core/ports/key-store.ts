import type { ApiKey } from '../keys/api-key.ts';
import type { Tier } from '../tier.ts';

/** Where keys rest. Only hashes are kept. */
export interface KeyStore {
  /** `lookup` is unique: false when it is taken. */
  insert(key: ApiKey): Promise<boolean>;
  byLookup(lookup: string): Promise<ApiKey | null>;
  byId(id: string): Promise<ApiKey | null>;
  /** Those that exist, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ApiKey[]>;
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key. Revoking twice keeps the first moment. */
  revoke(id: string, at: number): Promise<boolean>;
  setTier(id: string, tier: Tier, trialEndsAt: number | null): Promise<boolean>;
}

/** Calls per key and UTC day (`YYYY-MM-DD`). Adding is additive across processes. */
export interface UsageStore {
  add(day: string, counts: ReadonlyMap<string, number>): Promise<void>;
  get(keyId: string, day: string): Promise<number>;
  /** Forgets the days before this one. Returns how many counts. */
  prune(beforeDay: string): Promise<number>;
}
