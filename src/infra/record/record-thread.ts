import { extname } from 'node:path';
import type { MadeRecord, RecordRequest } from '../../core/record/record-maker.ts';
import { WorkerThread } from '../process/worker-thread.ts';

/** A database with the tables of this build. `file`: of an SQLite database, not in memory; null for MongoDB. */
export interface RecordDatabase {
  readonly url: string;
  readonly file: string | null;
}

/** Makes records in a thread with its own connection, which keeps the results that are final. */
export class RecordThread {
  readonly #thread: WorkerThread<RecordRequest, MadeRecord>;

  constructor(database: RecordDatabase) {
    const file = new URL(`./record-worker${extname(import.meta.filename)}`, import.meta.url);
    this.#thread = new WorkerThread(file, { name: 'the thread that makes the record', data: database });
  }

  /** Throws what the thread met, and ends it: the next one begins with nothing. So does `signal`. */
  async make(request: RecordRequest, signal: AbortSignal): Promise<MadeRecord> {
    try {
      return await this.#thread.ask(request, signal);
    } catch (error) {
      await this.#thread.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
