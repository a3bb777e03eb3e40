import type { EpochMs } from '../../../core/base/time/duration.ts';

/** How a tape is moved: so that it ends now, so that a moment of it is the start of the run, or not at all. */
export type ReplayShift = 'now' | EpochMs | null;

/** How a tape is played. */
export interface ReplayPace {
  /** Multiple of its own pace; 0 is as fast as possible. */
  readonly speed: number;
  readonly shift: ReplayShift;
  /** With a moment as shift: how long before now the run starts. */
  readonly headStartMs?: number;
}

/** What is wrong with a combination, and what is expected; null when it is valid. */
export function replayProblem({ speed, shift, headStartMs = 0 }: ReplayPace): string | null {
  if (!Number.isFinite(speed) || speed < 0) return `the speed must be 0 or more, got ${speed}`;
  if (speed === 0 && typeof shift === 'number') {
    return 'a moment needs a speed above 0 at which the tape is played from there; speed 0 goes with "now" or no shift';
  }
  if (speed > 0 && shift === 'now') {
    return 'shift "now" goes with speed 0 only; another speed goes with a moment of the tape or no shift';
  }
  if (headStartMs > 0 && typeof shift !== 'number')
    return 'a head start goes with a moment of the tape as shift';
  return null;
}
