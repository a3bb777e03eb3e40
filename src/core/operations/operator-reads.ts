import type { ApiKey } from '../keys/api-key.ts';
import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';

/** Webhooks of all keys, and what became of their deliveries so far. */
export interface WebhookTotals {
  readonly webhooks: number;
  readonly paused: number;
  readonly delivered: number;
  readonly failed: number;
  /** Deliveries that are to be sent. */
  readonly waiting: number;
}

/** What nobody but the operator asks for: sums and searches over everything, current and not kept. */
export interface OperatorReads {
  /** Keys that are not revoked, by the tier they have at the moment. */
  keysByTier(now: EpochMs): Promise<Readonly<Record<Tier, number>>>;
  /** Keys with the text in their name, whatever its case, newest first, at most `limit`; revoked ones included. */
  keysNamed(text: string, limit: number): Promise<readonly ApiKey[]>;
  /** Calls of all keys on a UTC day (`YYYY-MM-DD`). */
  callsOn(day: string): Promise<number>;
  webhookTotals(): Promise<WebhookTotals>;
}
