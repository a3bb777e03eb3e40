import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { WorkerThread } from '../../process/worker-thread.ts';
import { type Archive, archiveReads, ColumnArchive } from '../archive/archive.ts';
import type { ArchiveOptions } from '../archive/archive-index.ts';
import { createArchiveSource } from '../archive/archive-source.ts';
import type { OpenCollection } from '../stores/collection.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** A call from the main thread to the archive's thread. */
export interface ArchiveCall {
  readonly name: keyof Archive;
  readonly args: readonly unknown[];
}

/** The archive over a connection. `writer`: one for what the archive stores; null where it stores nothing. */
export function openArchive(
  db: DatabaseSync,
  writer: DatabaseSync | null,
  onStoreFailed?: ArchiveOptions['onStoreFailed'],
): ColumnArchive {
  const openOn =
    (connection: DatabaseSync): OpenCollection =>
    (declaration) =>
      new SqliteCollection(connection, declaration);
  return new ColumnArchive(createArchiveSource(openOn(db), 1, writer && openOn(writer)), { onStoreFailed });
}

/** The archive in a thread with its own read-only connection, one read after the other. */
export function createWorkerArchive(
  path: string,
  onStoreFailed: (reason: string) => void,
): Archive & { close(): Promise<void> } {
  const file = new URL(`./archive-worker${extname(import.meta.filename)}`, import.meta.url);
  const options = { name: 'the thread that reads the archive', data: { path }, onTold: onStoreFailed };
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
