import type { DatabaseSync } from 'node:sqlite';
import type { Category } from '../../core/category.ts';
import type { WebhookStore } from '../../core/ports/webhook-store.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { prepareQuery, transaction } from './connection.ts';

const COLUMNS = 'id, key_id, url, categories, min_score, secret_version, created_at, delivered, failed';

interface Row {
  readonly id: string;
  readonly key_id: string;
  readonly url: string;
  readonly categories: string | null;
  readonly min_score: number | null;
  readonly secret_version: number;
  readonly created_at: number;
  readonly delivered: number;
  readonly failed: number;
}

export function createSqliteWebhookStore(db: DatabaseSync): WebhookStore {
  const insert = db.prepare(`INSERT INTO webhooks (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = prepareQuery<{ held: number }>(db, 'SELECT count(*) AS held FROM webhooks WHERE key_id = ?');
  const list = prepareQuery<Row>(
    db,
    `SELECT ${COLUMNS} FROM webhooks WHERE key_id = ? ORDER BY created_at, id`,
  );
  const remove = db.prepare('DELETE FROM webhooks WHERE key_id = ? AND id = ?');
  return {
    insert: async (webhook, cap) =>
      transaction(db, () => {
        const { id, keyId, url, minScore, secretVersion, createdAt, delivered, failed } = webhook;
        if ((count.get(keyId)?.held ?? 0) >= cap) return false;
        const categories = webhook.categories?.join(',') ?? null;
        insert.run(id, keyId, url, categories, minScore, secretVersion, createdAt, delivered, failed);
        return true;
      }),
    listByKey: async (keyId) => list.all(keyId).map(toWebhook),
    remove: async (keyId, id) => remove.run(keyId, id).changes === 1,
  };
}

function toWebhook({ key_id, categories, min_score, secret_version, created_at, ...rest }: Row): Webhook {
  return {
    ...rest,
    keyId: key_id,
    categories: categories === null ? null : (categories.split(',') as Category[]),
    minScore: min_score,
    secretVersion: secret_version,
    createdAt: created_at,
  };
}
