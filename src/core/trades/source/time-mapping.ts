import type { EpochMs } from '../../base/time/duration.ts';
import type { TimeMapping } from './source.ts';

/** The published time of a tape time. Depends on nothing but the two. */
export function publishedTime(mapping: TimeMapping, tapeTime: EpochMs): EpochMs {
  const distance = tapeTime - mapping.pivot;
  const scaled = distance <= 0 || mapping.speed === 0 ? distance : distance / mapping.speed;
  return mapping.origin + Math.floor(scaled);
}

/** A tape time that is published by then; all that is published a millisecond before or earlier lies before it. */
export function tapeTime(mapping: TimeMapping, published: EpochMs): EpochMs {
  const distance = published - mapping.origin;
  const scaled = distance <= 0 || mapping.speed === 0 ? distance : distance * mapping.speed;
  return mapping.pivot + Math.floor(scaled);
}

/** Whether a tape time lies in the history before the start of the run. */
export function isHistoryTime(mapping: TimeMapping, tapeTime: EpochMs): boolean {
  return mapping.hasHistory && tapeTime < mapping.pivot;
}
