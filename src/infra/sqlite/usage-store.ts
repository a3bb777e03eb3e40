import type { DatabaseSync } from 'node:sqlite';
import type { UsageStore } from '../../core/keys/key-store.ts';
import { prepareQuery, transaction } from './connection.ts';

export function createSqliteUsageStore(db: DatabaseSync): UsageStore {
  const add = db.prepare(
    `INSERT INTO usage (day, key_id, calls) VALUES (?, ?, ?)
     ON CONFLICT (day, key_id) DO UPDATE SET calls = calls + excluded.calls`,
  );
  const get = prepareQuery<{ calls: number }>(db, 'SELECT calls FROM usage WHERE day = ? AND key_id = ?');
  const prune = db.prepare('DELETE FROM usage WHERE day < ?');
  return {
    add: async (day, counts) => {
      if (counts.size === 0) return;
      transaction(db, () => {
        for (const [keyId, count] of counts) add.run(day, keyId, count);
      });
    },
    get: async (keyId, day) => get.get(day, keyId)?.calls ?? 0,
    prune: async (beforeDay) => Number(prune.run(beforeDay).changes),
  };
}
