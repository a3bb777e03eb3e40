import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { WorkerThread } from '../../process/worker-thread.ts';
import { type Archive, archiveReads, ColumnArchive } from '../archive/archive.ts';
import { createArchiveSource } from '../archive/archive-source.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** A call from the main thread to the archive's thread. */
export interface ArchiveCall {
  readonly name: keyof Archive;
  readonly args: readonly unknown[];
}

export function openArchive(db: DatabaseSync): ColumnArchive {
  return new ColumnArchive(createArchiveSource((declaration) => new SqliteCollection(db, declaration), 1));
}

/** For a database in memory, which other connections cannot read. */
export function createInlineArchive(db: DatabaseSync) {
  return { ...openArchive(db), close: async () => {} };
}

/** The archive in a thread with its own read-only connection, one read after the other. */
export function createWorkerArchive(path: string): Archive & { close(): Promise<void> } {
  const file = new URL(`./archive-worker${extname(import.meta.filename)}`, import.meta.url);
  const options = { name: 'the thread that reads the archive', data: { path } };
  const thread = new WorkerThread<ArchiveCall, unknown>(file, options);
  let isClosed = false;
  return {
    ...archiveReads((name) => async (...args: readonly unknown[]) => {
      if (isClosed) throw new Error('The database is closed.');
      return thread.ask({ name, args });
    }),
    async close() {
      isClosed = true;
      await thread.close(new Error('The database was closed.'));
    },
  };
}
