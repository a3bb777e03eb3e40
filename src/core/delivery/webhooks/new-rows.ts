import type { Alert } from '../../alerts/alert.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { DELIVERY_TIMES, type Delivery } from './delivery.ts';
import type { DeliveryEngineOptions } from './delivery-engine-options.ts';
import type { Webhook } from './webhook.ts';

/** What rows are made of: an alert, or an outcome by its number. */
export interface DeliveredEvent {
  readonly alert: Alert | null;
  readonly outcome?: number;
  /** When it was published. */
  readonly at: EpochMs;
  /** Published before this process started: recorded as expired if it is too old already. */
  readonly isMissed: boolean;
}

/** A row before its write gives it a time. */
export interface DraftRow {
  readonly id: string;
  readonly webhook: Webhook;
  readonly event: DeliveredEvent;
}

/** A row that this process has added. */
export interface AddedDelivery {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  /** Null for an outcome. */
  readonly alert: Alert | null;
}

type WriteOptions = Pick<DeliveryEngineOptions, 'deliveries' | 'clock' | 'yieldToLoop'>;

/**
 * Adds rows, and gives those that were new. Rows get their time with each write, and come in the order of ids: a reader of new rows
 * continues after its last.
 */
export async function addRows(
  { deliveries, clock, yieldToLoop }: WriteOptions,
  drafts: readonly DraftRow[],
  onAdded: (added: readonly AddedDelivery[]) => void,
): Promise<void> {
  const createdAt = clock.now();
  const ordered = drafts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = ordered.map(({ id, webhook, event }) => {
    const { alert, outcome, at, isMissed } = event;
    const isTooOld = isMissed && at < createdAt - DELIVERY_TIMES.expiresAfterMs;
    const end = isTooOld ? ({ state: 'expired', finishedAt: createdAt } as const) : PENDING;
    const row = { id, webhookId: webhook.id, alertId: alert?.id ?? null, createdAt, result: null, ...end };
    return { delivery: outcome === undefined ? row : { ...row, outcome }, webhook, alert };
  });
  const added = new Set((await deliveries.add(rows.map(({ delivery }) => delivery))).map(({ id }) => id));
  const news = rows.filter(({ delivery: { id } }) => added.has(id));
  if (news.length > 0) onAdded(news);
  await yieldToLoop();
}

const PENDING = { state: 'pending', finishedAt: null } as const;
