import type { EpochMs } from '../base/time/duration.ts';
import type { RecordReport } from './record-report.ts';

/** The newest record, and when it was made. */
export interface StoredRecord {
  readonly at: EpochMs;
  readonly report: RecordReport;
}

/** The newest record, for other processes and for the next start. */
export interface RecordStore {
  /** Replaces the record. What was written last may be lost in a power cut. */
  put(record: StoredRecord): Promise<void>;
  /** Null before the first. */
  get(): Promise<StoredRecord | null>;
}
