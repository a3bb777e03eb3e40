import type { DatabaseSync } from 'node:sqlite';
import type { AlertStore, ThreadEntry } from '../../core/alerts/alert-store.ts';
import { prepareQuery } from './connection.ts';

export const THREAD_QUERY =
  "SELECT id, key, body ->> '$.tradedAt' AS tradedAt FROM alerts WHERE thread = ? ORDER BY id";

/** The alerts of a thread, from its index. */
export function createThreadRead(db: DatabaseSync): AlertStore['thread'] {
  const read = prepareQuery<ThreadEntry>(db, THREAD_QUERY);
  return async (key) => read.all(key).map((row) => ({ ...row }));
}
