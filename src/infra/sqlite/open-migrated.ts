import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../core/logger.ts';
import { openWriter, type Synchronous } from './connection.ts';
import { fillThreads } from './fill-threads.ts';
import { closeToOthers, createPrivateFile } from './private-file.ts';
import { migrate } from './schema.ts';

/** A database that lives as long as its connection. */
export const MEMORY = ':memory:';

/**
 * Opens a database, migrated to this build's schema and closed to other users. Throws when it cannot be written or is of a
 * newer build.
 */
export function openMigrated(path: string, synchronous: Synchronous, logger?: Logger): DatabaseSync {
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
