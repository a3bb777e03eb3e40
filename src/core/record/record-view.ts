import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { MINUTE_MS } from '../base/time/duration.ts';
import type { RecordStore, StoredRecord } from './record-store.ts';

/** Name of the published record in the `RecordStore`. */
export const RECORD = 'record';

interface RecordViewOptions<Answer> {
  readonly records: Pick<RecordStore, 'at' | 'get'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Makes the answer; null: no record was made yet. */
  readonly encode: (record: StoredRecord | null) => Answer;
}

/** The last stored record in memory, encoded once. While the database is unavailable it stays as it was. */
export class RecordView<Answer> {
  readonly #options: RecordViewOptions<Answer>;
  readonly #failures: FailureLog;
  #answer: Answer | null = null;
  #at: EpochMs | null = null;

  constructor(options: RecordViewOptions<Answer>) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'the record could not be read; retrying in a minute');
  }

  /** Null until the database was read once. */
  readonly read = (): Answer | null => this.#answer;

  /** Reads the record, if it has changed. Never rejects. */
  async look(): Promise<void> {
    await this.#failures.guard(this.#read);
  }

  /** Reads the record each minute, if it has changed, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await repeat(this.#read, { clock, signal, intervalMs: MINUTE_MS, failures: this.#failures });
  }

  readonly #read = async (): Promise<void> => {
    const { records, encode } = this.#options;
    if (this.#answer !== null && (await records.at(RECORD)) === this.#at) return;
    const record = await records.get(RECORD);
    this.#answer = encode(record);
    this.#at = record?.at ?? null;
  };
}
