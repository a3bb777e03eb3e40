import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryState } from '../../core/webhooks/delivery.ts';
import type { DeliveryStore } from '../../core/webhooks/delivery-store.ts';
import { prepareQuery } from './connection.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery } from './delivery-row.ts';

/** After every row there is. */
const TOP = { created_at: Number.MAX_SAFE_INTEGER, id: '' };

/** By their own small indexes: of these states there are few, and rows leave them. The others have one together. */
const UNENDED: readonly DeliveryState[] = ['pending', 'claimed'];

/** Each query has its index: a few failures among a million deliveries are found at once. */
export function createDeliveryLog(db: DatabaseSync): DeliveryStore['list'] {
  const place = prepareQuery<{ created_at: number; id: string }>(
    db,
    'SELECT created_at, id FROM deliveries WHERE id = ? AND webhook_id = ?',
  );
  const listed = (source: string, condition: string) =>
    prepareQuery<DeliveryRow>(
      db,
      `SELECT ${DELIVERY_COLUMNS} FROM deliveries ${source}
       WHERE webhook_id = :webhook ${condition} AND (created_at, id) < (:createdAt, :id)
       ORDER BY created_at DESC, id DESC LIMIT :limit`,
    );
  const all = listed('INDEXED BY deliveries_by_webhook', '');
  const ended = listed(
    'INDEXED BY deliveries_ended',
    "AND state = :state AND state NOT IN ('pending', 'claimed')",
  );
  const pending = listed('INDEXED BY deliveries_pending', "AND state = 'pending'");
  const claimed = listed('INDEXED BY deliveries_claimed', "AND state = 'claimed'");
  return async (webhook, { limit, before, state }) => {
    const found = before === undefined ? TOP : place.get(before, webhook);
    if (found === undefined) return [];
    const values = { webhook, createdAt: found.created_at, id: found.id, limit };
    if (state === undefined) return all.all(values).map(toDelivery);
    if (!UNENDED.includes(state)) return ended.all({ ...values, state }).map(toDelivery);
    return (state === 'pending' ? pending : claimed).all(values).map(toDelivery);
  };
}
