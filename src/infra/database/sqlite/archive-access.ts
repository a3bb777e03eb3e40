import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { WorkerThread } from '../../process/worker-thread.ts';
import { type Archive, ColumnArchive } from '../archive/archive.ts';
import { createArchiveSource } from '../archive/archive-source.ts';
import { SqliteCollection } from './sqlite-collection.ts';

/** A call from the main thread to the archive's thread. */
export interface ArchiveCall {
  readonly name: keyof Archive;
  readonly args: readonly unknown[];
}

/** The archive over a connection. */
export function openArchive(db: DatabaseSync): ColumnArchive {
  return new ColumnArchive(createArchiveSource((declaration) => new SqliteCollection(db, declaration), 1));
}

/** For a database in memory, which other connections cannot read. */
export function createInlineArchive(db: DatabaseSync) {
  return { ...openArchive(db), close: async () => {} };
}

/**
 * The archive in a thread with its own read-only connection: long reads block neither the event loop nor the writer. The
 * thread runs one read after the other; `ArchiveScheduler` bounds how many it is given.
 */
export class WorkerArchive implements Archive {
  readonly #thread: WorkerThread<ArchiveCall, unknown>;
  #isClosed = false;

  constructor(path: string) {
    const file = new URL(`./archive-worker${extname(import.meta.filename)}`, import.meta.url);
    this.#thread = new WorkerThread(file, { name: 'the thread that reads the archive', data: { path } });
  }

  search: Archive['search'] = (filter, page) => this.#call('search', filter, page);
  hotMarkets: Archive['hotMarkets'] = (query) => this.#call('hotMarkets', query);
  stats: Archive['stats'] = (query) => this.#call('stats', query);
  preview: Archive['preview'] = (filter, options) => this.#call('preview', filter, options);
  walletReport: Archive['walletReport'] = (wallet, query) => this.#call('walletReport', wallet, query);
  marketReport: Archive['marketReport'] = (id, query) => this.#call('marketReport', id, query);
  marketOfSlug: Archive['marketOfSlug'] = (slug, bound) => this.#call('marketOfSlug', slug, bound);
  // A thread that is not running has read nothing.
  addResolved = (marketId: string) => this.#thread.tell({ name: 'addResolved', args: [marketId] });

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close(new Error('The database was closed.'));
  }

  async #call<T>(name: ArchiveCall['name'], ...args: unknown[]): Promise<T> {
    if (this.#isClosed) throw new Error('The database is closed.');
    return (await this.#thread.ask({ name, args })) as T;
  }
}
