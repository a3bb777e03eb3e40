import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { seededRandom } from '../random.ts';

/** Between two states of the list; each comes up to so much later. */
const REBUILT_EVERY_MS = 4_000;
const REBUILT_LATER_MS = 800;
/** What a trade takes until it can be in a state of the list. */
const SHORTEST_MS = 3_000;
const SPREAD_MS = 3_000;
/** By so much the lists of a wallet are ahead of the others. */
export const USER_AHEAD_MS = 3_000;

/**
 * When the list shows the trades of a second: 3 to 10.8 s after it and 6.5 s in the median, as measured on 2026-09-25 in
 * 5,877 trades; all of them in one state of the list, and sometimes after those of a later second.
 */
export function createListingLag(seed: number): (second: number) => EpochMs {
  const randomOf = (number: number, purpose: number) => seededRandom(seed ^ Math.imul(number + 1, purpose))();
  const rebuiltAt = (state: number) =>
    state * REBUILT_EVERY_MS + Math.floor(randomOf(state, 0x85ebca6b) * REBUILT_LATER_MS);
  return (second) => {
    const ready = second * 1_000 + SHORTEST_MS + randomOf(second, 0x9e3779b1) * SPREAD_MS;
    const state = Math.floor(ready / REBUILT_EVERY_MS);
    return rebuiltAt(state) >= ready ? rebuiltAt(state) : rebuiltAt(state + 1);
  };
}

/** How far behind their trades rows were, in milliseconds. */
export interface LagFigures {
  readonly trades: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

export function lagFigures(lags: readonly number[]): LagFigures {
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { trades: sorted.length, p50: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 };
}
