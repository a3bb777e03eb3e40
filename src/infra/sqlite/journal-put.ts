import type { DatabaseSync } from 'node:sqlite';
import type { PutInJournal } from '../stores/journal-store.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createHolderCheck } from './holder-check.ts';

/** Checks the lease and the position in the transaction that inserts. */
export function createSqliteJournalPut(db: DatabaseSync): PutInJournal {
  const isHeld = createHolderCheck(db);
  const last = prepareQuery<{ next: number }>(db, 'SELECT next FROM journal ORDER BY first DESC LIMIT 1');
  const insert = db.prepare('INSERT INTO journal (first, next, accepted_at, lines) VALUES (?, ?, ?, ?)');
  return async (lease, { first, next, acceptedAt, lines }) =>
    transaction(db, () => {
      if (!isHeld(lease) || (last.get()?.next ?? 1) !== first) return false;
      insert.run(first, next, acceptedAt, lines);
      return true;
    });
}
