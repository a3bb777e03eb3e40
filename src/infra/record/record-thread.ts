import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MadeRecord, RecordRequest } from '../../core/record/record-maker.ts';
import type { RecordDatabase } from './open-record-sources.ts';

/** Answer of the thread to a request. */
export type RecordReply = { readonly made: MadeRecord } | { readonly error: string };

/**
 * Makes records in a thread with its own connection to the database: neither reading nor computing blocks the event loop. The
 * thread stays, with the results that are final.
 */
export class RecordThread {
  readonly #database: RecordDatabase;
  #worker: Worker | null = null;

  constructor(database: RecordDatabase) {
    this.#database = database;
  }

  /** Must not be called again before it ends. Throws what the thread met; `signal` ends the thread. */
  async make(request: RecordRequest, signal: AbortSignal): Promise<MadeRecord> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    try {
      worker.postMessage(request);
      const ended = new AbortController();
      worker.once('exit', () => ended.abort(new Error('the thread that makes the record has stopped')));
      const either = AbortSignal.any([signal, ended.signal]);
      const [reply] = (await once(worker, 'message', { signal: either })) as [RecordReply];
      if ('error' in reply) throw new Error(reply.error);
      return reply.made;
    } catch (error) {
      // The next request starts another one, which begins with nothing.
      await this.close();
      throw error;
    } finally {
      worker.unref();
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const file = new URL(`./record-worker${extname(import.meta.filename)}`, import.meta.url);
    const started = new Worker(file, { workerData: this.#database });
    // A run gets the error from `once`; an idle thread that fails is replaced by the next run.
    started.on('error', () => {});
    started.on('exit', () => {
      if (this.#worker === started) this.#worker = null;
    });
    return started;
  }
}
