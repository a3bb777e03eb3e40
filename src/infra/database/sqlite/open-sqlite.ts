import type { DatabaseSync } from 'node:sqlite';
import { retry } from '../../../core/base/async/retry.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { type Database, openFeatures } from '../../../core/database.ts';
import { systemClock } from '../../process/system-clock.ts';
import { openSqliteDocuments } from '../documents/open-sqlite-documents.ts';
import type { OpenOptions } from '../schema-version.ts';
import { CallGuard, OpenedFile } from './call-guard.ts';
import { neverWait, openWriter, prepareQuery } from './connection.ts';
import { checkAccess } from './open-failure.ts';
import { closeToOthers, createPrivateFile } from './private-file.ts';
import { checkVersion, createTables, KINDS_TABLE } from './schema.ts';

export interface SqliteOptions extends OpenOptions {
  /** Path of the file, or `:memory:`. A missing file and folder are created for this user alone. */
  readonly path: string;
}

/** One transaction, which holds the event loop, with its sync, for a few milliseconds. */
const GROUPS = { most: 64, slowMs: 25 };

/** Opens an SQLite file as the service's database. Throws for one not writable or of another build. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const { path, clock = systemClock, logger } = options;
  const db = openOwn(options);
  // Writes that may be lost in a power cut do not wait for the disk.
  const counters = path === MEMORY ? db : openWriter(path, 'NORMAL');
  for (const connection of [db, counters]) neverWait(connection);
  const guard = new CallGuard(path === MEMORY ? null : new OpenedFile(path, logger), clock);
  const documents = openSqliteDocuments({ db, quick: counters, guard, clock });
  return {
    kind: 'sqlite',
    documents,
    ...openFeatures(documents),
    groups: GROUPS,
    sharedLimiter: null,
    readTime: null,
    ping: guard.call(async () => {
      db.prepare(`SELECT 1 FROM ${KINDS_TABLE} LIMIT 1`).get();
    }),
    purgeDeleted: createPurge(db, clock, logger),
    close: async () => {
      guard.close();
      for (const connection of new Set([counters, db])) if (connection.isOpen) connection.close();
    },
  };
}

/** A database that lives as long as its connection. */
const MEMORY = ':memory:';

/** Opens a database with this build's schema, closed to other users. Throws when it cannot be written or is of another build. */
function openOwn({ path, logger }: SqliteOptions): DatabaseSync {
  if (path !== MEMORY) {
    createPrivateFile(path);
    checkAccess(path);
  }
  const db = openWriter(path, 'FULL', checkVersion);
  try {
    if (path === MEMORY) createInMemory(db);
    else createTables(db);
    closeToOthers(db, logger);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

let inMemory: Uint8Array | null = null;

/** A process that opens many, as tests do, creates the tables of the first only: a copy takes a twentieth of the time. */
function createInMemory(db: DatabaseSync): void {
  if (inMemory === null) {
    createTables(db);
    inMemory = db.serialize();
  } else db.deserialize(inMemory);
}

const ATTEMPTS = 30;
const PAUSE_MS = 100;

/** Empties the write-ahead log, which `secure_delete` does not clear; warns if a reader stays for 3 s. */
function createPurge(db: DatabaseSync, clock: Clock, logger?: Logger): () => Promise<void> {
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
