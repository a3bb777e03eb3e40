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
  /** Agreed limits instead of those of the tier; null without any. */
  readonly limits: KeyLimits | null;
  /** The first successful call; null before it. Written for keys of customers only. */
  readonly firstUsedAt: EpochMs | null;
}

/** The message with the secret of a key: its request, and whether it is known to have been sent. */
export interface Handover {
  /** Id of the request for the secret, unique among all keys. */
  readonly request: string;
  /** Whether the platform has confirmed the message. */
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

/**
 * The tier of a key at a time: after its trial a key is free (contract, States). Nothing is stored at the end of a trial; earlier
 * versions stored the tier.
 */
export function effectiveTier(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): Tier {
  return key.trialEndsAt !== null && now >= key.trialEndsAt ? 'free' : key.tier;
}

/** The hash that a secret of this key with this lookup part must match; null if it is not valid at that time. */
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
