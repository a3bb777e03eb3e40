import type { EpochMs } from '../../base/time/duration.ts';
import type { Tier } from '../tier.ts';

/** A stored API key. Its secret is shown once and never stored. */
export interface ApiKey {
  /** Public id, `key_` and 16 characters. */
  readonly id: string;
  /** The first 10 characters after `sk_live_`. Identifies the row, does not authenticate. Unique. */
  readonly lookup: string;
  /** argon2id of the whole key, in PHC format. */
  readonly hash: string;
  readonly name: string;
  readonly tier: Tier;
  readonly createdAt: EpochMs;
  /** From this time on a pro key counts as free; null without a trial. */
  readonly trialEndsAt: EpochMs | null;
  readonly revokedAt: EpochMs | null;
  /** The owner; null for a key that was not issued in chat. */
  readonly customerId: string | null;
  /** The message with the secret; null for a key that was not issued in chat. */
  readonly handover: Handover | null;
  /** The secret before the last rotation, valid until its end; null without a rotation. */
  readonly previous: FormerSecret | null;
  /** Agreed limits that replace those of the tier; null if there are none. */
  readonly limits: KeyLimits | null;
  /** The first successful call; null before it. Written for keys of customers only. */
  readonly firstUsedAt: EpochMs | null;
}

/** The message with the secret of a key: its request, and whether it is known to have been sent. */
export interface Handover {
  /** Id of the request for the secret, unique among the current secrets of all keys. */
  readonly request: string;
  readonly isShown: boolean;
}

/** A replaced secret. It is valid for the same key until its end (exclusive). */
export interface FormerSecret {
  readonly lookup: string;
  readonly hash: string;
  readonly endsAt: EpochMs;
}

/** Null: the limit of the tier. */
export interface KeyLimits {
  readonly requestsPerMinute: number | null;
  readonly maxSockets: number | null;
}

/** A key with its whole secret, which is not stored. */
export interface NewKey {
  readonly ok: true;
  readonly key: ApiKey;
  readonly secret: string;
}

/** Why nothing was done. */
export interface Refused<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}

/** The tier of a key at a time: after its trial a key is free (contract, States). Nothing is stored at the end of a trial. */
export function effectiveTier(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): Tier {
  return key.trialEndsAt !== null && now >= key.trialEndsAt ? 'free' : key.tier;
}

/** The hash that a secret with this lookup part must match; null if this key has no such secret that is valid at that time. */
export function hashFor(
  { lookup, hash, previous }: Pick<ApiKey, 'lookup' | 'hash' | 'previous'>,
  presented: string,
  now: EpochMs,
): string | null {
  if (lookup === presented) return hash;
  return previous !== null && previous.lookup === presented && now < previous.endsAt ? previous.hash : null;
}

/** Fields of a key without an owner that was never changed. */
export const PLAIN_KEY = {
  customerId: null,
  handover: null,
  previous: null,
  limits: null,
  firstUsedAt: null,
} as const;

/** The result of inserting a customer's key. `taken`: its id, its secret or its request is. */
export type KeyInsert = 'inserted' | 'taken' | 'too_many';

/** Query for ends of trials after `from` and at or before `until`; `after`: the last key of the page before. */
export interface EndedTrials {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly limit: number;
  readonly after?: Pick<ApiKey, 'id' | 'trialEndsAt'> | undefined;
}

/** Stored keys. Only hashes of secrets are stored. */
export interface KeyStore {
  /** Throws if its id, its secret or its request is taken. */
  insert(key: ApiKey): Promise<void>;
  /** Inserts a key if its customer has fewer than `cap` that are not revoked. Concurrent inserts do not exceed the cap. */
  insertWithin(key: ApiKey & { readonly customerId: string }, cap: number): Promise<KeyInsert>;
  /** The key whose current or former secret, expired or not, has this lookup part. */
  byLookup(lookup: string): Promise<ApiKey | null>;
  byId(id: string): Promise<ApiKey | null>;
  /** The existing ones, in any order. */
  byIds(ids: readonly string[]): Promise<readonly ApiKey[]>;
  /** The customer's keys that are not revoked, oldest first, ties by id. */
  byCustomer(customerId: string): Promise<readonly ApiKey[]>;
  /** The keys of these customers that are not revoked, in any order. */
  byCustomers(customerIds: readonly string[]): Promise<readonly ApiKey[]>;
  /** Ids of all the customer's keys, revoked ones included. */
  idsOf(customerId: string): Promise<readonly string[]>;
  /** The key whose current secret has this request. */
  byRequest(request: string): Promise<ApiKey | null>;
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False if there is no such key. Revoking again keeps the first time. */
  revoke(id: string, at: EpochMs): Promise<boolean>;
  /** Revokes a key that was never shown and releases its request; false if it was shown or rotated, or does not exist. */
  retire(id: string, at: EpochMs): Promise<boolean>;
  /** Gives a key a new secret. False if it is not as `key` says: of concurrent changes one succeeds. */
  rotate(
    key: Pick<ApiKey, 'id' | 'lookup' | 'handover'>,
    secret: Pick<ApiKey, 'lookup' | 'hash' | 'previous' | 'handover'>,
  ): Promise<boolean>;
  /** False if there is no such key. */
  rename(id: string, name: string): Promise<boolean>;
  /** False if the handover of the key has another request. */
  confirmShown(id: string, request: string): Promise<boolean>;
  /** False if stored before, or no such key. Also confirms the handover of the key's only secret. */
  markFirstUsed(id: string, at: EpochMs): Promise<boolean>;
  setTier(id: string, tier: Tier, trialEndsAt: EpochMs | null): Promise<boolean>;
  /** Keys stored as Pro that are not revoked and whose trial ends in the window, oldest end first. */
  endedTrials(query: EndedTrials): Promise<readonly ApiKey[]>;
  removeAll(customerId: string): Promise<void>;
}

/** Calls per key and UTC day (`YYYY-MM-DD`). Counts of several processes add up. */
export interface UsageStore {
  add(day: string, counts: ReadonlyMap<string, number>): Promise<void>;
  get(keyId: string, day: string): Promise<number>;
  /** Deletes the days before this one. Returns the number of deleted counts. */
  prune(beforeDay: string): Promise<number>;
}
