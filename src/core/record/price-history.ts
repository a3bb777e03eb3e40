import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import type { PricePoint } from '../trades/price-point.ts';
import { parseHour } from './observations/hour-text.ts';
import { type ObservedHour, type OutcomeSide, onScaleOf } from './observations/observation-store.ts';

/** The first order that was kept of a minute, or of an hour that was observed as a whole. */
interface Interval {
  readonly begin: EpochMs;
  /** On the scale of the base outcome. */
  readonly first: PricePoint;
}

/** Times from `from` on and before `until`. */
interface Search {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly outcome: OutcomeSide;
}

/** Taker orders of one market around its alerts, read from the observed hours. Times are those of the source. */
export class PriceHistory {
  /** Ascending. */
  readonly #intervals: readonly Interval[];

  constructor(hours: readonly Pick<ObservedHour, 'hour' | 'text'>[]) {
    this.#intervals = hours.toSorted((a, b) => a.hour - b.hour).flatMap(intervalsOf);
  }

  /** The first order of the first minute (or whole hour) that has one, at the price of the outcome. */
  firstOrder({ from, until, outcome }: Search): PricePoint | null {
    const found = this.#intervals[this.#indexFrom(from)];
    if (found === undefined || found.begin >= until) return null;
    return { at: found.first.at, price: onScaleOf(outcome, found.first.price) };
  }

  /** Binary search: the index of the first interval that begins at `from` or later. */
  #indexFrom(from: EpochMs): number {
    let [low, high] = [0, this.#intervals.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#intervals[middle] as Interval).begin < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function intervalsOf({ hour, text }: Pick<ObservedHour, 'hour' | 'text'>): readonly Interval[] {
  const { orders = [], whole = [] } = parseHour(text);
  // In a whole hour the seconds are unknown; its prices count as known at its end.
  const [first] = whole;
  if (first !== undefined) return [{ begin: hour, first: { at: hour + HOUR_MS, price: first } }];
  const points = orders.map(([second, price]) => ({ at: hour + second * SECOND_MS, price }));
  const minutes = Map.groupBy(points, ({ at }) => Math.floor(at / MINUTE_MS) * MINUTE_MS);
  return [...minutes].map(([begin, [earliest]]) => ({ begin, first: earliest as PricePoint }));
}
