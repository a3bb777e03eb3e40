import type { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../../core/webhooks/delivery.ts';
import type { DeliveryOutcome, DeliveryStore } from '../../core/webhooks/delivery-store.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createDeliveryLog } from './delivery-log.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery } from './delivery-row.ts';

const CURSOR = 'webhooks';

/**
 * A claim waits for the disk (`durable`): were it lost in a power cut, the delivery would be sent again. The rest goes
 * through `quick`, which may lose its last moments then: rows are made again, and a lost outcome is `unknown`.
 */
export function createSqliteDeliveryStore(durable: DatabaseSync, quick: DatabaseSync): DeliveryStore {
  return {
    ...createChanges(quick),
    claim: createClaim(durable),
    ...createReads(quick),
    list: createDeliveryLog(quick),
    ...createCursor(quick),
  };
}

function createClaim(db: DatabaseSync): DeliveryStore['claim'] {
  // One that bears the call's name was claimed by it already: asked again, it is told again.
  const claim = prepareQuery<{ id: string }>(
    db,
    `UPDATE deliveries SET state = 'claimed', owner = :owner, claimed_at = :at, call = :call
     WHERE id IN (SELECT value FROM json_each(:ids)) AND (state = 'pending' OR call = :call) RETURNING id`,
  );
  return async (ids, by) =>
    ids.length === 0 ? [] : claim.all({ ...by, ids: JSON.stringify(ids) }).map(({ id }) => id);
}

function createChanges(db: DatabaseSync): Pick<DeliveryStore, 'add' | 'finish' | 'giveUp' | 'prune'> {
  const insert = db.prepare(
    `INSERT OR IGNORE INTO deliveries (${DELIVERY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const end =
    'UPDATE deliveries SET state = ?, finished_at = ?, status = ?, error = ?, duration_ms = ?, call = ? WHERE id = ?';
  const finish = db.prepare(`${end} AND (state = 'claimed' OR call = ?) AND owner = ?`);
  const giveUp = db.prepare(`${end} AND (state = 'pending' OR call = ?)`);
  const prune = db.prepare(
    `DELETE FROM deliveries WHERE id IN
       (SELECT id FROM deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  );
  const each = <Row>(rows: readonly Row[], isChanged: (row: Row) => boolean) =>
    rows.length === 0 ? [] : transaction(db, () => rows.filter(isChanged));

  return {
    add: async (deliveries) =>
      each(deliveries, (delivery) => insert.run(...valuesOf(delivery)).changes === 1),
    finish: async (owner, outcomes, call) =>
      idsOf(
        each(
          outcomes,
          (outcome) => finish.run(...endOf(outcome), call, outcome.id, call, owner).changes === 1,
        ),
      ),
    giveUp: async (outcomes, call) =>
      idsOf(each(outcomes, (outcome) => giveUp.run(...endOf(outcome), call, outcome.id, call).changes === 1)),
    prune: async ({ createdBefore, limit }) => Number(prune.run(createdBefore, limit).changes),
  };
}

function createReads(db: DatabaseSync): Pick<DeliveryStore, 'waiting' | 'claims'> {
  const waiting = prepareQuery<DeliveryRow>(
    db,
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries
     WHERE state = 'pending' AND created_at < ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
  );
  const claims = prepareQuery<DeliveryRow & { readonly owner: string; readonly claimed_at: number }>(
    db,
    `SELECT ${DELIVERY_COLUMNS}, owner, claimed_at FROM deliveries
     WHERE state = 'claimed' ORDER BY claimed_at, id LIMIT ?`,
  );
  return {
    waiting: async ({ createdBefore, limit, after }) =>
      waiting.all(createdBefore, after?.createdAt ?? 0, after?.id ?? '', limit).map(toDelivery),
    claims: async (limit) =>
      claims
        .all(limit)
        .map((row) => ({ owner: row.owner, claimedAt: row.claimed_at, delivery: toDelivery(row) })),
  };
}

function createCursor(db: DatabaseSync): Pick<DeliveryStore, 'cursor' | 'advance'> {
  const read = prepareQuery<{ alert_id: number }>(db, 'SELECT alert_id FROM delivery_cursor WHERE name = ?');
  const advance = db.prepare(
    `INSERT INTO delivery_cursor VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET alert_id = max(alert_id, excluded.alert_id)`,
  );
  return {
    cursor: async () => read.get(CURSOR)?.alert_id ?? null,
    advance: async (alertId) => {
      advance.run(CURSOR, alertId);
    },
  };
}

function idsOf(outcomes: readonly DeliveryOutcome[]): string[] {
  return outcomes.map(({ id }) => id);
}

function endOf({ state, finishedAt, result }: DeliveryOutcome) {
  return [
    state,
    finishedAt,
    result?.status ?? null,
    result?.error ?? null,
    result?.durationMs ?? null,
  ] as const;
}

function valuesOf({ id, webhookId, alertId, state, createdAt, finishedAt, result }: Delivery) {
  const attempt = [result?.status ?? null, result?.error ?? null, result?.durationMs ?? null] as const;
  return [id, webhookId, alertId, state, createdAt, finishedAt, ...attempt] as const;
}
