import type { Logger } from '../base/logger.ts';
import type { SteadyClock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { SourceProgress } from '../trades/source/source-progress.ts';
import { tapeTime } from '../trades/source/time-mapping.ts';
import type { MadeRecord, RecordRequest } from './record-maker.ts';
import type { RecordStore } from './record-store.ts';
import { RECORD } from './record-view.ts';

/** Metrics of the record. */
export interface RecordMetrics {
  /** The record was made and stored. */
  recordMade(durationMs: number): void;
}

interface PublishOptions {
  /** How far the source has come; null before its first snapshot. */
  readonly progress: () => Promise<SourceProgress | null>;
  readonly make: (request: RecordRequest, signal: AbortSignal) => Promise<MadeRecord>;
  readonly records: Pick<RecordStore, 'put'>;
  readonly terms: Pick<RecordRequest, 'rules' | 'plan' | 'freeDelayMs'>;
  readonly clock: Pick<SteadyClock, 'now' | 'monotonic'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly metrics: RecordMetrics;
}

/** Makes the record of what is public now, and stores it. Null, and nothing stored, while nothing was observed. */
export async function publishRecord(
  { progress, make, records, terms, clock, logger, metrics }: PublishOptions,
  signal: AbortSignal,
): Promise<MadeRecord | null> {
  const startedAt = clock.monotonic();
  const at = clock.now();
  const publishedUntil = at - terms.freeDelayMs;
  const source = await progress();
  const asOf = source === null ? null : recordTime(source, publishedUntil);
  if (asOf === null) return null;
  const made = await make({ asOf, publishedUntil, ...terms }, signal);
  await records.put({ name: RECORD, at, text: made.text });
  const durationMs = clock.monotonic() - startedAt;
  const { alerts, events, measured } = made;
  logger.info({ alerts, events, measured, seconds: Math.round(durationMs / 100) / 10 }, 'record made');
  metrics.recordMade(durationMs);
  return made;
}

/**
 * The moment of a record, on the clock of the source: observations up to it are stored, and all of it was public at
 * `publicUntil`, on the clock of the service. Null while nothing is stored.
 */
export function recordTime({ time = 0, mapping }: SourceProgress, publicUntil: EpochMs): EpochMs | null {
  if (time === 0) return null;
  return Math.min(time, mapping === null ? publicUntil : tapeTime(mapping, publicUntil));
}
