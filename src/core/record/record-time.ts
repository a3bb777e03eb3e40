import type { EpochMs } from '../base/time/duration.ts';
import type { SourceProgress } from '../trades/source/source-progress.ts';
import { tapeTime } from '../trades/source/time-mapping.ts';

/**
 * The moment of a record, on the clock of the source: observations up to it are stored, and all of it was public at
 * `publicUntil`, on the clock of the service. Null while nothing is stored.
 */
export function recordTime({ time = 0, mapping }: SourceProgress, publicUntil: EpochMs): EpochMs | null {
  if (time === 0) return null;
  return Math.min(time, mapping === null ? publicUntil : tapeTime(mapping, publicUntil));
}
