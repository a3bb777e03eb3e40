import type { DatabaseSync } from 'node:sqlite';
import { retry } from '../../../core/base/async/retry.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { prepareQuery } from './connection.ts';

const ATTEMPTS = 30;
const PAUSE_MS = 100;

/**
 * Empties the write-ahead log, which has pages as they were before rows were deleted: `secure_delete` clears the file only.
 * Another connection that reads or writes prevents it for a moment; after 3 s a warning is logged. Never rejects.
 */
export function createPurge(db: DatabaseSync, clock: Clock, logger?: Logger): () => Promise<void> {
  const { signal } = new AbortController();
  return async () => {
    const empty = async () => emptyLog(db);
    await retry(empty, { clock, signal, attempts: ATTEMPTS, backoff: () => PAUSE_MS }).catch((err: unknown) =>
      logger?.warn(
        { err },
        'deleted data is still in the log of the database; retrying with the next retention',
      ),
    );
  };
}

/** Throws when another connection prevents it; it is not waited for (`neverWait`). */
function emptyLog(db: DatabaseSync): void {
  const result = prepareQuery<{ busy: number }>(db, 'PRAGMA wal_checkpoint(TRUNCATE)').get();
  if (result?.busy !== 0) throw new Error('the log of the database is in use');
}
