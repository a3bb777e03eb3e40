import type { Delivery, DeliveryError, DeliveryState } from '../../core/webhooks/delivery.ts';

export const DELIVERY_COLUMNS =
  'id, webhook_id, alert_id, state, created_at, finished_at, status, error, duration_ms';

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly alert_id: number | null;
  readonly state: DeliveryState;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** Null where there was no attempt, or nobody knows. */
  readonly duration_ms: number | null;
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { status, error, duration_ms: durationMs } = row;
  return {
    id: row.id,
    webhookId: row.webhook_id,
    alertId: row.alert_id,
    state: row.state,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    result: durationMs === null ? null : { status, error, durationMs },
  };
}
