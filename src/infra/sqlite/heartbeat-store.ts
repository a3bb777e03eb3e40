import type { DatabaseSync } from 'node:sqlite';
import type { Heartbeat, HeartbeatStore } from '../../core/operations/heartbeat-store.ts';
import { prepareQuery } from './connection.ts';

interface Row {
  readonly owner: string;
  readonly roles: string;
  readonly at: number;
  readonly checks: string;
}

export function createSqliteHeartbeatStore(db: DatabaseSync): HeartbeatStore {
  const beat = db.prepare('INSERT OR REPLACE INTO pulses (owner, roles, at, checks) VALUES (?, ?, ?, ?)');
  const list = prepareQuery<Row>(db, 'SELECT owner, roles, at, checks FROM pulses ORDER BY at DESC, owner');
  const remove = db.prepare('DELETE FROM pulses WHERE owner = ?');
  const prune = db.prepare('DELETE FROM pulses WHERE at < ?');
  return {
    beat: async ({ owner, roles, at, checks }) => {
      beat.run(owner, JSON.stringify(roles), at, JSON.stringify(checks));
    },
    list: async () =>
      list.all().map(({ owner, roles, at, checks }) => ({
        owner,
        roles: JSON.parse(roles) as Heartbeat['roles'],
        at,
        checks: JSON.parse(checks) as Heartbeat['checks'],
      })),
    remove: async (owner) => {
      remove.run(owner);
    },
    prune: async (before) => {
      prune.run(before);
    },
  };
}
