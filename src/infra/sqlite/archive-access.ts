import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type Archive, createArchive } from '../database/archive.ts';
import type { ArchiveCall, ArchiveReply } from './archive-calls.ts';
import { createSqliteArchiveQueries } from './archive-queries.ts';

export interface ClosableArchive extends Archive {
  close(): Promise<void>;
}

/** For a database in memory, which no other connection can see. */
export function createInlineArchive(db: DatabaseSync): ClosableArchive {
  return { ...createArchive(createSqliteArchiveQueries(db)), close: async () => {} };
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The archive in a thread with its own read-only connection: long reads hold up neither the loop nor the writer. The
 * thread runs one read after the other; `ArchiveScheduler` bounds how many it is given.
 */
export function createWorkerArchive(path: string): ClosableArchive {
  const pending = new Map<number, Pending>();
  let lastCall = 0;
  let worker: Worker | null = null;
  let isClosed = false;

  const call = <T>(name: ArchiveCall['name'], ...args: unknown[]): Promise<T> => {
    if (isClosed) return Promise.reject(new Error('The database is closed.'));
    worker ??= start();
    const running = worker;
    return new Promise<T>((resolve, reject) => {
      lastCall += 1;
      pending.set(lastCall, { resolve: resolve as (value: unknown) => void, reject });
      running.ref();
      running.postMessage({ call: lastCall, name, args });
    });
  };

  return {
    search: (filter, page) => call('search', filter, page),
    hotMarkets: (query) => call('hotMarkets', query),
    stats: (query) => call('stats', query),
    preview: (filter, options) => call('preview', filter, options),
    // A thread that is not running remembers nothing.
    forgetResolved: () => worker?.postMessage({ call: 0, name: 'forgetResolved', args: [] }),
    async close() {
      isClosed = true;
      const running = worker;
      worker = null;
      await running?.terminate();
      rejectAll(new Error('The database was closed.'));
    },
  };

  function start(): Worker {
    const file = new URL(`./archive-worker${extname(import.meta.filename)}`, import.meta.url);
    const started = new Worker(file, { workerData: { path } });
    // An idle thread keeps no process alive.
    started.unref();
    started.on('message', (reply: ArchiveReply) => settle(started, reply));
    started.on('error', (error: Error) => stopped(started, error));
    started.on('exit', () => stopped(started, new Error('The thread that reads the archive has stopped.')));
    return started;
  }

  function settle(from: Worker, reply: ArchiveReply): void {
    const caller = pending.get(reply.call);
    pending.delete(reply.call);
    if (pending.size === 0) from.unref();
    if ('error' in reply) caller?.reject(new Error(reply.error));
    else caller?.resolve(reply.value);
  }

  /** The next call starts another thread. */
  function stopped(which: Worker, reason: Error): void {
    if (worker !== which) return;
    worker = null;
    rejectAll(reason);
  }

  function rejectAll(reason: Error): void {
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  }
}
