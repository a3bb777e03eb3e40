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
}

/** The tier a key has at a moment: a trial that ended is free, whether or not any job noticed (contract, States). */
export function effectiveTier(key: Pick<ApiKey, 'tier' | 'trialEndsAt'>, now: EpochMs): Tier {
  return key.trialEndsAt !== null && now >= key.trialEndsAt ? 'free' : key.tier;
}
