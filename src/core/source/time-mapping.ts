import type { EpochMs } from '../trade.ts';
import type { TimeMapping } from './source.ts';

/** The published time of a tape time. Depends on nothing but the two. */
export function publishedTime(mapping: TimeMapping, tapeTime: EpochMs): EpochMs {
  const distance = tapeTime - mapping.pivot;
  const scaled = distance <= 0 || mapping.speed === 0 ? distance : distance / mapping.speed;
  return mapping.origin + Math.floor(scaled);
}

/** Whether a tape time lies in the history before the start of the run. */
export function isHistoryTime(mapping: TimeMapping, tapeTime: EpochMs): boolean {
  return mapping.hasHistory && tapeTime < mapping.pivot;
}
