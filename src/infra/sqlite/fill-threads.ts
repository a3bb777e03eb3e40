import type { DatabaseSync } from 'node:sqlite';
import type { Alert } from '../../core/alerts/alert.ts';
import { threadKey } from '../../core/ledger/thread.ts';
import { prepareQuery, transaction } from './connection.ts';

const BATCH_SIZE = 2_000;

/** Oldest first, from the index of threads. */
export const UNFILLED_QUERY = `
  SELECT id, wallet, coalesce(body ->> '$.type', '') AS type, coalesce(body ->> '$.marketId', '') AS marketId,
    coalesce(body ->> '$.side', '') AS side, coalesce(body ->> '$.outcome', '') AS outcome
  FROM alerts WHERE thread = '' ORDER BY id LIMIT ?`;

const PLACE = `
  UPDATE alerts SET thread = :thread,
    thread_id = coalesce((SELECT min(id) FROM alerts WHERE thread = :thread AND id < :id), :id),
    supersedes = (SELECT max(id) FROM alerts WHERE thread = :thread AND id < :id)
  WHERE id = :id`;

type Unfilled = Pick<Alert, 'id' | 'type' | 'wallet' | 'marketId' | 'side' | 'outcome'>;

/** Gives alerts their threads that a build before version 6 appended after the migration; other alerts stay as they are. */
export function fillThreads(db: DatabaseSync): void {
  const unfilled = prepareQuery<Unfilled>(db, UNFILLED_QUERY);
  const place = db.prepare(PLACE);
  while (unfilled.get(1) !== undefined) {
    transaction(db, () => {
      for (const alert of unfilled.all(BATCH_SIZE)) place.run({ id: alert.id, thread: threadKey(alert) });
    });
  }
}
