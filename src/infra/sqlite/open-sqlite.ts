import type { DatabaseSync } from 'node:sqlite';
import type { Database } from '../../core/database/database.ts';
import type { LogStore } from '../../core/log/log-store.ts';
import type { Logger } from '../../core/logger.ts';
import type { OpenCollection } from '../stores/collection.ts';
import { createLeaseStore } from '../stores/lease-store.ts';
import { plainStores } from '../stores/plain-stores.ts';
import { createSqliteAlertStore } from './alert-store.ts';
import { createInlineArchive, WorkerArchive } from './archive-access.ts';
import { openWriter, type Synchronous, unsynced } from './connection.ts';
import { createSnapshots, createSqliteJournalPut } from './ingest-store.ts';
import { createSqliteObservationStore } from './observation-store.ts';
import { closeToOthers, createPrivateFile } from './private-file.ts';
import { fillThreads, migrate } from './schema.ts';
import { createSqliteSpecialKeyStore } from './special-key-store.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** One thread reads; a second read waits in its queue, so that the thread is not idle between two. */
const ARCHIVE_CONCURRENCY = 2;

export interface SqliteOptions {
  /** Path of the file, or `:memory:`. A missing file and folder are created for this user alone. */
  readonly path: string;
  /** Default `FULL`: what was written survives a power cut. */
  readonly synchronous?: Synchronous;
  /** Logs migrations, and a file that other users can read. */
  readonly logger?: Logger | undefined;
}

/** Opens an SQLite file as the service's database. Throws when it cannot be written or is of a newer build. */
export async function openSqlite({ path, synchronous = 'FULL', logger }: SqliteOptions): Promise<Database> {
  const db = openMigrated(path, synchronous, logger);
  // Writes that may be lost in a power cut do not wait for the disk.
  const counters = path === MEMORY ? db : openWriter(path, synchronous === 'OFF' ? 'OFF' : 'NORMAL');
  const archive = path === MEMORY ? createInlineArchive(db) : new WorkerArchive(path);
  const open = openOn(db);
  return {
    ...plainStores(open, openOn(counters), {
      keys: createSqliteSpecialKeyStore(db),
      appendToLog: createSqliteLogAppend(db),
      putInJournal: createSqliteJournalPut(db),
    }),
    kind: 'sqlite',
    alerts: createSqliteAlertStore(db, archive),
    archiveConcurrency: ARCHIVE_CONCURRENCY,
    ingest: { ...createLeaseStore(open, 'ingest'), ...createSnapshots(db) },
    sharedLimiter: null,
    observations: createSqliteObservationStore(db),
    ping: async () => {
      db.prepare('SELECT 1 FROM alerts LIMIT 1').get();
    },
    close: async () => {
      await archive.close();
      for (const connection of new Set([counters, db])) if (connection.isOpen) connection.close();
    },
  };
}

function openOn(db: DatabaseSync): OpenCollection {
  return (declaration) => new SqliteCollection(db, declaration);
}

/** A database that lives as long as its connection. */
const MEMORY = ':memory:';

/**
 * Opens a database, migrated to this build's schema and closed to other users. Throws when it cannot be written or is of a
 * newer build.
 */
function openMigrated(path: string, synchronous: Synchronous, logger?: Logger): DatabaseSync {
  if (path !== MEMORY) createPrivateFile(path);
  const db = openWriter(path, synchronous);
  try {
    migrate(db, logger);
    fillThreads(db);
    closeToOthers(db, logger);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Triggers of the schema refuse an entry that leaves a gap. */
export function createSqliteLogAppend(db: DatabaseSync): LogStore['append'] {
  const insert = db.prepare(
    `INSERT INTO log (sequence, at, kind, subject, previous, hash, body) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
     WHERE NOT EXISTS (SELECT 1 FROM log WHERE sequence = ?1)`,
  );
  return async ({ sequence, at, kind, subject, previous, hash, body }, options) => {
    const append = () => insert.run(sequence, at, kind, subject, previous, hash, JSON.stringify(body));
    const { changes } = options?.isRestorable === true ? unsynced(db, append) : append();
    return changes === 0 ? 'taken' : 'appended';
  };
}
