import type { EpochMs } from '../base/time/duration.ts';

/** A computed record, or what was computed for one. */
export interface StoredRecord {
  readonly name: string;
  /** When it was computed. */
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
