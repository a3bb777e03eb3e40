import type { Logger } from '../base/logger.ts';
import type { SteadyClock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { SourceProgress } from '../trades/source/source.ts';
import { makeRecord, type RecordRequest, type RecordSources } from './make-record.ts';
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

/** Metrics of the record. */
export interface RecordMetrics {
  recordMade(durationMs: number): void;
}

interface PublishOptions extends RecordSources {
  /** How far the source has progressed; null before its first snapshot. */
  readonly progress: () => Promise<SourceProgress | null>;
  readonly records: Pick<RecordStore, 'put'>;
  readonly terms: Pick<RecordRequest, 'rules' | 'plan'>;
  /** How much later than paid keys the public sees an alert. */
  readonly freeDelayMs: number;
  readonly clock: Pick<SteadyClock, 'now' | 'monotonic'>;
  readonly logger: Pick<Logger, 'debug'>;
  readonly metrics: RecordMetrics;
}

/** Makes the record of the alerts that are public now, and stores it. Null, and nothing stored, while nothing was observed. */
export async function publishRecord(
  { progress, records, terms, freeDelayMs, clock, logger, metrics, ...sources }: PublishOptions,
  signal: AbortSignal,
): Promise<RecordReport | null> {
  const startedAt = clock.monotonic();
  const at = clock.now();
  const source = await progress();
  if (source === null || source.time === 0) return null;
  const { time: asOf, mapping } = source;
  const report = await makeRecord(
    sources,
    { asOf, mapping, publishedUntil: at - freeDelayMs, ...terms },
    signal,
  );
  await records.put({ at, report });
  const durationMs = clock.monotonic() - startedAt;
  const { alerts, settled } = report;
  logger.debug({ alerts, settled, seconds: Math.round(durationMs / 100) / 10 }, 'record made');
  metrics.recordMade(durationMs);
  return report;
}
