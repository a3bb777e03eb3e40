import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { Checkpoint, TapeSpan, TimeMapping } from '../../../core/trades/source/source.ts';
import { parseLine } from './row-schema.ts';
import { type Line, readLines } from './tape-file.ts';

export interface ReplayPlan {
  readonly mapping: TimeMapping;
  readonly pace: TimeMapping | null;
}

const TAPE_TIME: TimeMapping = { pivot: 0, origin: 0, speed: 0, hasHistory: false };

/** Made once for a tape, at its first run (tape-format.md, "Moving a tape to today"). */
export async function planReplay(
  { file, speed, shift, headStartMs = 0, skips = [] }: ReplayPace & { readonly file: string },
  clock: { now(): EpochMs },
): Promise<ReplayPlan> {
  if (typeof shift === 'number') {
    const mapping = { pivot: shift, origin: clock.now() - headStartMs, speed, hasHistory: true, skips };
    return { mapping, pace: mapping };
  }
  if (shift === 'now') {
    const last = await lastTime(file, clock.now());
    const origin = clock.now();
    return { mapping: { pivot: last ?? origin, origin, speed: 0, hasHistory: false }, pace: null };
  }
  if (speed === 0) return { mapping: TAPE_TIME, pace: null };
  const first = await firstTime(file, clock.now());
  const origin = clock.now();
  return { mapping: TAPE_TIME, pace: { pivot: first ?? origin, origin, speed, hasHistory: false } };
}

export function planOf({ mapping, pace }: Checkpoint): ReplayPlan | null {
  if (mapping === null) return null;
  return { mapping, pace: pace ?? null };
}

export function isPlanFor(plan: ReplayPlan, speed: number, shift: ReplayShift): boolean {
  const { mapping } = plan;
  if ((plan.pace?.speed ?? 0) !== speed) return false;
  if (typeof shift === 'number') return mapping.hasHistory && mapping.pivot === shift;
  const isShifted = mapping.origin !== mapping.pivot;
  return !mapping.hasHistory && isShifted === (shift === 'now');
}

export async function firstTime(file: string, now: EpochMs): Promise<EpochMs | null> {
  for await (const [first] of timesIn(file, now)) if (first !== undefined) return first;
  return null;
}

async function lastTime(file: string, now: EpochMs): Promise<EpochMs | null> {
  let last: EpochMs | null = null;
  for await (const times of timesIn(file, now)) for (const at of times) last = Math.max(last ?? at, at);
  return last;
}

async function* timesIn(file: string, now: EpochMs): AsyncGenerator<readonly EpochMs[]> {
  for await (const lines of readLines(file)) yield lines.flatMap((line) => timeOf(line, now) ?? []);
}

/** Only of valid rows: a wrong time must not move the tape. Close rows and removed fills do not advance the time. */
function timeOf({ text }: Line, now: EpochMs): EpochMs | null {
  if (text === null) return null;
  const row = parseLine(text, now);
  return row.kind === 'bad' || row.kind === 'close' || row.kind === 'removed' ? null : row.at;
}

/** How a tape is moved: so that it ends now, so that a moment of it is the start of the run, or not at all. */
type ReplayShift = 'now' | EpochMs | null;

export interface ReplayPace {
  /** Multiple of its own pace; 0 is as fast as possible. */
  readonly speed: number;
  readonly shift: ReplayShift;
  /** With a moment as shift: how long before now the run starts. */
  readonly headStartMs?: number;
  /** With a moment as shift: what takes no time, as in `TimeMapping`. */
  readonly skips?: readonly TapeSpan[];
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
