import type { EpochMs } from '../../base/time/duration.ts';
import type { LogEntry, LogKind } from './log-entry.ts';

/** The log's table: appended by the holder of the ingest lease, read by every process. Entries cannot be changed or removed. */
export interface LogStore {
  /**
   * Writes entries with consecutive sequence numbers, in order; after a failure the first of them may be written. `taken`: another
   * entry has one of the numbers. Throws when the entry before them is missing.
   *
   * Durable (majority where there is one), unless `isRestorable`: then the entry may be lost in a power cut or a change of the
   * primary, until the next durable write. That is for entries that the next start rebuilds from their rows.
   */
  append(
    entries: readonly LogEntry[],
    options?: { readonly isRestorable: boolean },
  ): Promise<'appended' | 'taken'>;
  last(): Promise<LogEntry | null>;
  /** The newest entry with `at` at or before the moment. */
  headAt(until: EpochMs): Promise<Pick<LogEntry, 'sequence' | 'hash' | 'at'> | null>;
  /** Entries with a larger sequence number, ascending, at most `limit`. */
  after(sequence: number, limit: number): Promise<readonly LogEntry[]>;
  /** The sequence numbers of a kind's entries after one number and up to another, ascending, at most `limit`. */
  sequencesOf(
    kind: LogKind,
    query: { readonly after: number; readonly upto: number; readonly limit: number },
  ): Promise<readonly number[]>;
  some(sequences: readonly number[]): Promise<readonly LogEntry[]>;
  /** The newest entry about the subject; of those with a sequence number below `before` when it is given. */
  lastAbout(subject: string, before?: number): Promise<LogEntry | null>;
  lastOf(kind: LogKind): Promise<LogEntry | null>;
}
