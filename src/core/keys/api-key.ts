import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';

/** An API key as it rests in the store. The key itself is shown once and never kept. */
export interface ApiKey {
  /** Public name of the key, `key_` and 16 characters. */
  readonly id: string;
  /** The first 10 characters after `sk_live_`: finds the row, proves nothing. Unique. */
  readonly lookup: string;
  /** argon2id of the whole key, in PHC format. */
  readonly hash: string;
  readonly name: string;
  readonly tier: Tier;
  readonly createdAt: EpochMs;
  /** From this moment a pro key counts as free; null when it is no trial. */
  readonly trialEndsAt: EpochMs | null;
  readonly revokedAt: EpochMs | null;
  /** Whose it is; null for a key that nobody got in chat. */
  readonly customerId: string | null;
  /** How it was handed over in chat; null for a key that was not. */
  readonly handover: Handover | null;
  /** The secret before the last rotation; it works until its end, which may have been at once. Null: there is none. */
  readonly previous: FormerSecret | null;
  /** What was agreed for this key instead of its tier's limits; null: nothing. */
  readonly limits: KeyLimits | null;
  /** The first call it was let in for; null before. Written for keys of customers only. */
  readonly firstUsedAt: EpochMs | null;
}

/** A message with a secret that was sent, or may have been. */
export interface Handover {
  /** Names the tap that asked for the secret; unique among all keys. */
  readonly request: string;
  /** Whether the platform has said that the message arrived. */
  readonly isShown: boolean;
}

/** A secret that was replaced. It finds the same key until its end (exclusive). */
export interface FormerSecret {
  readonly lookup: string;
  readonly hash: string;
  readonly endsAt: EpochMs;
}

/** Null: as the tier says. */
export interface KeyLimits {
  readonly requestsPerMinute: number | null;
  readonly maxSockets: number | null;
}

/** The tier a key has at a moment: a trial that ended is free, whether or not any job noticed (contract, States). */
export function effectiveTier(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): Tier {
  return key.trialEndsAt !== null && now >= key.trialEndsAt ? 'free' : key.tier;
}

/** What a secret with this lookup part, of this key, is proven against at a moment; null when no such one works. */
export function hashFor(
  { lookup, hash, previous }: Pick<ApiKey, 'lookup' | 'hash' | 'previous'>,
  presented: string,
  now: EpochMs,
): string | null {
  if (lookup === presented) return hash;
  return previous !== null && previous.lookup === presented && now < previous.endsAt ? previous.hash : null;
}

/** What a key has that is nobody's in chat and was never changed. */
export const PLAIN_KEY = {
  customerId: null,
  handover: null,
  previous: null,
  limits: null,
  firstUsedAt: null,
} as const;
