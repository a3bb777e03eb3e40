import type { DatabaseSync } from 'node:sqlite';
import type { Category } from '../../core/category.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import type { WebhookStore } from '../../core/webhooks/webhook-store.ts';
import { prepareQuery, transaction } from './connection.ts';

const COLUMNS =
  'id, key_id, url, categories, min_score, secret_version, rotated_at, is_paused, created_at, delivered, failed, failures_in_row';

interface Row {
  readonly id: string;
  readonly key_id: string;
  readonly url: string;
  readonly categories: string | null;
  readonly min_score: number | null;
  readonly secret_version: number;
  readonly rotated_at: number | null;
  readonly is_paused: number;
  readonly created_at: number;
  readonly delivered: number;
  readonly failed: number;
  readonly failures_in_row: number;
}

export function createSqliteWebhookStore(db: DatabaseSync): WebhookStore {
  const query = (rest: string) => prepareQuery<Row>(db, rest.replace('COLUMNS', COLUMNS));
  const insert = db.prepare(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = prepareQuery<{ held: number }>(db, 'SELECT count(*) AS held FROM webhooks WHERE key_id = ?');
  const list = query('SELECT COLUMNS FROM webhooks WHERE key_id = ? ORDER BY created_at, id');
  const active = query('SELECT COLUMNS FROM webhooks WHERE is_paused = 0');
  const byIds = query('SELECT COLUMNS FROM webhooks WHERE id IN (SELECT value FROM json_each(?))');
  const own = query('SELECT COLUMNS FROM webhooks WHERE key_id = ? AND id = ?');
  const change = db.prepare(
    'UPDATE webhooks SET categories = ?, min_score = ?, is_paused = ? WHERE key_id = ? AND id = ?',
  );
  const rotate = query(
    `UPDATE webhooks SET secret_version = secret_version + 1, rotated_at = ?
     WHERE key_id = ? AND id = ? RETURNING COLUMNS`,
  );
  const addCounts = query(
    `UPDATE webhooks SET delivered = delivered + :delivered, failed = failed + :failed,
       failures_in_row = iif(:delivered > 0, 0, failures_in_row) + :atEnd
     WHERE id = :id RETURNING COLUMNS`,
  );
  const remove = db.prepare('DELETE FROM webhooks WHERE key_id = ? AND id = ?');
  return {
    insert: async (webhook, cap) =>
      transaction(db, () => {
        const { id, keyId, url, minScore, secretVersion, rotatedAt, createdAt } = webhook;
        if ((count.get(keyId)?.held ?? 0) >= cap) return false;
        const settings = [id, keyId, url, listText(webhook.categories), minScore, secretVersion, rotatedAt];
        const { delivered, failed, failuresInRow } = webhook;
        insert.run(...settings, Number(webhook.isPaused), createdAt, delivered, failed, failuresInRow);
        return true;
      }),
    listByKey: async (keyId) => list.all(keyId).map(toWebhook),
    active: async () => active.all().map(toWebhook),
    byIds: async (ids) => byIds.all(JSON.stringify(ids)).map(toWebhook),
    update: async (keyId, id, asked) =>
      transaction(db, () => {
        const row = own.get(keyId, id);
        if (row === undefined) return null;
        const { categories, minScore, isPaused, ...rest } = { ...toWebhook(row), ...asked };
        change.run(listText(categories), minScore, Number(isPaused), keyId, id);
        return { ...rest, categories, minScore, isPaused };
      }),
    rotate: async (keyId, id, at) => rotate.all(at, keyId, id).map(toWebhook)[0] ?? null,
    addCounts: async (counts) =>
      transaction(db, () =>
        counts.flatMap(({ id, delivered, failed, failuresAtEnd: atEnd }) =>
          addCounts.all({ id, delivered, failed, atEnd }).map(toWebhook),
        ),
      ),
    remove: async (keyId, id) => remove.run(keyId, id).changes === 1,
  };
}

function listText(categories: readonly Category[] | null): string | null {
  return categories?.join(',') ?? null;
}

function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    keyId: row.key_id,
    url: row.url,
    categories: row.categories === null ? null : (row.categories.split(',') as Category[]),
    minScore: row.min_score,
    secretVersion: row.secret_version,
    rotatedAt: row.rotated_at,
    isPaused: row.is_paused === 1,
    createdAt: row.created_at,
    delivered: row.delivered,
    failed: row.failed,
    failuresInRow: row.failures_in_row,
  };
}
