import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock, SteadyClock } from '../base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import type { SourceProgress } from '../trades/source/source.ts';
import type { MadeRecord, RecordRequest } from './record-maker.ts';
import type { RecordReport } from './record-report.ts';

/** A computed record, or what was computed for one. */
export interface StoredRecord {
  readonly name: string;
  readonly at: EpochMs;
  /** Some megabytes at most, of JSON. */
  readonly text: string;
}

/** What was computed from alerts and observations, so that another process or the next start need not compute it again. */
export interface RecordStore {
  /** Inserts a record, or replaces the one with its name. Records that were written last may be lost in a power cut. */
  put(record: StoredRecord): Promise<void>;
  get(name: string): Promise<StoredRecord | null>;
  /** The `at` of a record, read without its text. */
  at(name: string): Promise<EpochMs | null>;
}

/** Metrics of the record. */
export interface RecordMetrics {
  recordMade(durationMs: number): void;
}

interface PublishOptions {
  /** How far the source has progressed; null before its first snapshot. */
  readonly progress: () => Promise<SourceProgress | null>;
  readonly make: (request: RecordRequest, signal: AbortSignal) => Promise<MadeRecord>;
  readonly records: Pick<RecordStore, 'get' | 'put'>;
  readonly terms: Pick<RecordRequest, 'rules' | 'plan'>;
  /** How much later than paid keys the public sees an alert. */
  readonly freeDelayMs: number;
  readonly clock: Pick<SteadyClock, 'now' | 'monotonic'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly metrics: RecordMetrics;
}

/** Compiles the record of the alerts that are public now, and stores it: with every price and result that is stored. Null, and nothing stored, while nothing was observed. */
export async function publishRecord(
  { progress, make, records, terms, freeDelayMs, clock, logger, metrics }: PublishOptions,
  signal: AbortSignal,
): Promise<MadeRecord | null> {
  const startedAt = clock.monotonic();
  const at = clock.now();
  const source = await progress();
  if (source === null || source.time === 0) return null;
  const { time: asOf, mapping } = source;
  const previous = await readReport(records);
  const publishedUntil = at - freeDelayMs;
  const made = await make({ asOf, mapping, publishedUntil, previous, ...terms }, signal);
  await records.put({ name: RECORD, at, text: made.text });
  const durationMs = clock.monotonic() - startedAt;
  const { alerts, events, measured } = made;
  logger.info({ alerts, events, measured, seconds: Math.round(durationMs / 100) / 10 }, 'record made');
  metrics.recordMade(durationMs);
  return made;
}

/** Name of the published record in the `RecordStore`. */
export const RECORD = 'record';

/** The newest record; null before the first. */
export async function readReport(records: Pick<RecordStore, 'get'>): Promise<RecordReport | null> {
  const record = await records.get(RECORD);
  return record === null ? null : (JSON.parse(record.text) as RecordReport);
}

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
