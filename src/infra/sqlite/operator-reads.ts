import type { DatabaseSync } from 'node:sqlite';
import type { OperatorReads, WebhookTotals } from '../../core/operations/operator-reads.ts';
import type { Tier } from '../../core/tier.ts';
import { prepareQuery } from './connection.ts';
import { createSqliteKeyStore } from './key-store.ts';

export function createSqliteOperatorReads(db: DatabaseSync): OperatorReads {
  const keys = createSqliteKeyStore(db);
  const byTier = prepareQuery<{ tier: Tier; count: number }>(
    db,
    `SELECT CASE WHEN trial_ends_at <= ? THEN 'free' ELSE tier END AS tier, COUNT(*) AS count
     FROM api_keys WHERE revoked_at IS NULL GROUP BY 1`,
  );
  const named = prepareQuery<{ id: string }>(
    db,
    `SELECT id FROM api_keys WHERE instr(lower(name), lower(?)) > 0 ORDER BY created_at DESC, id DESC LIMIT ?`,
  );
  const calls = prepareQuery<{ calls: number }>(
    db,
    'SELECT COALESCE(SUM(calls), 0) AS calls FROM usage WHERE day = ?',
  );
  const webhooks = prepareQuery<WebhookTotals>(
    db,
    `SELECT COUNT(*) AS webhooks, COALESCE(SUM(is_paused), 0) AS paused, COALESCE(SUM(delivered), 0) AS delivered,
       COALESCE(SUM(failed), 0) AS failed,
       (SELECT COUNT(*) FROM deliveries WHERE state = 'pending') AS waiting
     FROM webhooks`,
  );
  return {
    async keysByTier(now) {
      const counts = { free: 0, pro: 0, enterprise: 0 };
      for (const { tier, count } of byTier.all(now)) counts[tier] = count;
      return counts;
    },
    async keysNamed(text, limit) {
      const ids = named.all(text, limit).map(({ id }) => id);
      const rows = new Map((await keys.byIds(ids)).map((key) => [key.id, key]));
      return ids.flatMap((id) => rows.get(id) ?? []);
    },
    callsOn: async (day) => calls.get(day)?.calls ?? 0,
    webhookTotals: async () => ({ ...(webhooks.get() as WebhookTotals) }),
  };
}
