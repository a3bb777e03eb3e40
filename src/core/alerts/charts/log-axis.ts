import type { Axis } from './price-axes.ts';

/** Units of the axis in one power of ten. */
const UNITS = 1_000;
/** Room at either edge, and the least distance of two labels, as a share of the axis. */
const ROOM = 0.06;
const TICKS_MAX = 5;
/** With fewer powers of ten, there are ticks at twice and five times each as well. */
const FEW_POWERS = 2.5;

/**
 * An axis of dollars, downwards: the highest amount is near its start. It has ticks at powers of ten and at `line`, an amount
 * that the chart has a line at. Less than a tenth of a cent is drawn as a tenth of a cent.
 */
export function logAxis(amounts: readonly number[], line: number): LogAxis {
  const all = [...amounts, line].map(powerOf);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low) * ROOM;
  const start = Math.ceil((high + room) * UNITS);
  const length = start - Math.floor((low - room) * UNITS);
  const share = (power: number) => (start - power * UNITS) / length;
  const step = Math.ceil((high - low) / TICKS_MAX);
  const multiples = high - low < FEW_POWERS ? [1, 2, 5] : [1];
  const first = Math.floor(low / step) * step;
  const powers = Array.from({ length: TICKS_MAX + 2 }, (_, index) => first + index * step)
    .flatMap((power) => multiples.map((times) => power + Math.log10(times)))
    .filter(
      (power) => power >= low - room && power <= high && Math.abs(share(power) - share(powerOf(line))) > ROOM,
    );
  const ticks = [...powers, powerOf(line)].map((power) => {
    return { percent: Math.round(share(power) * 1_000) / 10, label: `$${dollarsOf(power)}` };
  });
  const at = (amount: number) => Math.round(start - powerOf(amount) * UNITS);
  return { start, length, ticks, at };
}

/** An axis on which a power of ten is as long as any other. */
interface LogAxis extends Axis {
  /** Units from its start to an amount. */
  readonly at: (amount: number) => number;
}

const LEAST = 0.001;

function powerOf(amount: number): number {
  return Math.log10(Math.max(amount, LEAST));
}

function dollarsOf(power: number): string {
  return Number((10 ** power).toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 3 });
}
