import type { ApiKey } from '../accounts/keys/api-key.ts';
import type { Tier } from '../accounts/tier.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** Webhooks of all keys, and the outcomes of their deliveries. */
export interface WebhookTotals {
  readonly webhooks: number;
  readonly paused: number;
  readonly delivered: number;
  readonly failed: number;
  /** Pending deliveries. */
  readonly waiting: number;
}

/** Sums and searches over all data, for the operator; not cached. */
export interface OperatorReads {
  /** Number of active keys by their tier at `now`. */
  keysByTier(now: EpochMs): Promise<Readonly<Record<Tier, number>>>;
  /** Keys whose name contains the text, ignoring case, newest first, at most `limit`; revoked keys included. */
  keysNamed(text: string, limit: number): Promise<readonly ApiKey[]>;
  /** Number of calls of all keys on a UTC day (`YYYY-MM-DD`). */
  callsOn(day: string): Promise<number>;
  webhookTotals(): Promise<WebhookTotals>;
}
