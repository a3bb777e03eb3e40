import { DAY_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';

/**
 * How a delivery stands. `pending` waits for its turn, `claimed` is being sent. All others are ends: `delivered` and
 * `failed` are what the receiver made of it; `unknown` was being sent when its process died; `expired` waited for
 * more than 10 minutes; `cancelled` met a webhook that was gone or paused, or a key that may not have webhooks.
 */
export const DELIVERY_STATES = [
  'pending',
  'claimed',
  'delivered',
  'failed',
  'unknown',
  'expired',
  'cancelled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why an attempt failed: the name could not be resolved, it led to an address that is not public, no connection, TLS,
 * a connection that broke, an answer that is not HTTP, no answer within 5 seconds, a redirect, any other status than 200.
 */
export const DELIVERY_ERRORS = [
  'dns',
  'not_public',
  'refused',
  'tls',
  'reset',
  'protocol',
  'timeout',
  'redirect',
  'status',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** What came of one attempt. Delivered when `error` is null, and then `status` is 200. */
export interface AttemptResult {
  /** Of the answer; null when none came. */
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** From the beginning to the answer or the failure, in whole milliseconds. */
  readonly durationMs: number;
}

/** One alert for one webhook, or a test of it: a row of the outbox, and later of the log. */
export interface Delivery {
  /** `msg_` and what makes it unique: the header `webhook-id`. The same alert and webhook give the same id. */
  readonly id: string;
  readonly webhookId: string;
  /** Null: a test that the owner asked for. */
  readonly alertId: number | null;
  readonly state: DeliveryState;
  readonly createdAt: EpochMs;
  readonly finishedAt: EpochMs | null;
  /** What the attempt gave; null where there was none, or nobody knows. */
  readonly result: AttemptResult | null;
}

/** Bounds of the log; deliveries older than `keptMs` are removed. */
export const DELIVERY_LIMITS = { keptMs: 7 * DAY_MS, pageSize: 100, defaultPageSize: 20 } as const;

/** The id of an alert's delivery to a webhook. */
export function deliveryId(webhookId: string, alertId: number): string {
  return `msg_${alertId}_${webhookId.replace(/^wh_/, '')}`;
}
