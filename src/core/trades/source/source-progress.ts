import type { EpochMs } from '../../base/time/duration.ts';
import type { TimeMapping } from './source.ts';

/** How far a source has come, as its last snapshot states it. */
export interface SourceProgress {
  /** The source's time up to which its observations are stored; 0 before the first row, absent in snapshots of earlier builds. */
  readonly time?: EpochMs;
  readonly mapping: TimeMapping | null;
}
