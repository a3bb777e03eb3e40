import { rounded } from '../../core/base/rounded.ts';

/** A linear axis with 0 and all values on it. */
export interface Axis {
  /** Ascending, multiples of 1, 2 or 5 times a power of ten. */
  readonly ticks: readonly number[];
  /** Position of a value in pixels. */
  at(value: number): number;
}

const STEPS = [1, 2, 5, 10];

/** The axis of these values, of at most 6 decimals, from one pixel to another, with about `count` steps. */
export function axisOf(values: readonly number[], [start, end]: readonly [number, number], count = 6): Axis {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = stepOf((high - low || 1) / count);
  const first = Math.floor(rounded(low / step, 9));
  const last = Math.max(first + 1, Math.ceil(rounded(high / step, 9)));
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step, 9)),
    at: (value) => start + ((value / step - first) / (last - first)) * (end - start),
  };
}

function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((factor) => factor * power >= least) ?? 10) * power;
}
