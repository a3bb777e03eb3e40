import type { DatabaseSync } from 'node:sqlite';
import type { Pause, PauseStore } from '../../core/operations/pause-store.ts';
import { prepareQuery } from './connection.ts';

export function createSqlitePauseStore(db: DatabaseSync): PauseStore {
  const list = prepareQuery<Pause>(db, 'SELECT name, at, by FROM switches ORDER BY name');
  const pause = db.prepare('INSERT OR IGNORE INTO switches (name, at, by) VALUES (?, ?, ?)');
  const resume = db.prepare('DELETE FROM switches WHERE name = ?');
  return {
    list: async () => list.all().map(({ name, at, by }) => ({ name, at, by })),
    pause: async ({ name, at, by }) => pause.run(name, at, by).changes === 1,
    resume: async (name) => resume.run(name).changes === 1,
  };
}
