import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Archive, ColumnArchive } from '../archive/archive.ts';
import { createSqliteArchiveSource } from './archive-source.ts';

/** A call from the main thread to the archive's thread. Call 0 gets no answer. */
export interface ArchiveCall {
  readonly call: number;
  readonly name: keyof Archive;
  readonly args: readonly unknown[];
}

export type ArchiveReply =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly error: string; readonly errcode: number | undefined };

/** For a database in memory, which other connections cannot read. */
export function createInlineArchive(db: DatabaseSync) {
  return { ...new ColumnArchive(createSqliteArchiveSource(db)), close: async () => {} };
}

/**
 * The archive in a thread with its own read-only connection: long reads block neither the event loop nor the writer. The
 * thread runs one read after the other; `ArchiveScheduler` bounds how many it is given.
 */
export class WorkerArchive implements Archive {
  readonly #path: string;
  readonly #pending = new Map<number, Omit<PromiseWithResolvers<unknown>, 'promise'>>();
  #lastCall = 0;
  #worker: Worker | null = null;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  search: Archive['search'] = (filter, page) => this.#call('search', filter, page);
  hotMarkets: Archive['hotMarkets'] = (query) => this.#call('hotMarkets', query);
  stats: Archive['stats'] = (query) => this.#call('stats', query);
  preview: Archive['preview'] = (filter, options) => this.#call('preview', filter, options);
  walletReport: Archive['walletReport'] = (wallet, query) => this.#call('walletReport', wallet, query);
  marketReport: Archive['marketReport'] = (id, query) => this.#call('marketReport', id, query);
  marketOfSlug: Archive['marketOfSlug'] = (slug, bound) => this.#call('marketOfSlug', slug, bound);
  // A thread that is not running has read nothing.
  addResolved = (marketId: string) =>
    this.#worker?.postMessage({ call: 0, name: 'addResolved', args: [marketId] });

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = this.#worker;
    this.#worker = null;
    await running?.terminate();
    this.#rejectAll(new Error('The database was closed.'));
  }

  #call<T>(name: ArchiveCall['name'], ...args: unknown[]): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The database is closed.'));
    this.#worker ??= this.#start();
    const running = this.#worker;
    return new Promise<T>((resolve, reject) => {
      this.#lastCall += 1;
      this.#pending.set(this.#lastCall, { resolve: resolve as (value: unknown) => void, reject });
      running.ref();
      running.postMessage({ call: this.#lastCall, name, args });
    });
  }

  #start(): Worker {
    const file = new URL(`./archive-worker${extname(import.meta.filename)}`, import.meta.url);
    const started = new Worker(file, { workerData: { path: this.#path } });
    // An idle thread keeps no process alive.
    started.unref();
    started.on('message', (reply: ArchiveReply) => this.#settle(started, reply));
    started.on('error', (error: Error) => this.#stopped(started, error));
    started.on('exit', () =>
      this.#stopped(started, new Error('The thread that reads the archive has stopped.')),
    );
    return started;
  }

  #settle(from: Worker, reply: ArchiveReply): void {
    const caller = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    if (this.#pending.size === 0) from.unref();
    if ('error' in reply) caller?.reject(Object.assign(new Error(reply.error), { errcode: reply.errcode }));
    else caller?.resolve(reply.value);
  }

  /** The next call starts another thread. */
  #stopped(which: Worker, reason: Error): void {
    if (this.#worker !== which) return;
    this.#worker = null;
    this.#rejectAll(reason);
  }

  #rejectAll(reason: Error): void {
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }
}
