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

/** How long after publication a reader can buy at the earliest, and until when. */
const REACTION_MS = MINUTE_MS;
const BUYING_MS = HOUR_MS;

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

  /**
   * What a reader could pay for an outcome after a publication: the price of the first order, in minutes that begin 60 s after it
   * or later, and within an hour of it. Null without one.
   */
  followerPrice(publishedAt: EpochMs, outcome: OutcomeSide): PricePoint | null {
    const from = Math.ceil((publishedAt + REACTION_MS) / MINUTE_MS) * MINUTE_MS;
    const point = this.firstOrder({ from, until: publishedAt + BUYING_MS, outcome });
    return point !== null && isPrice(point.price) ? point : null;
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

/** A share that costs nothing, or as much as it can pay, cannot be bet on. */
function isPrice(price: number): boolean {
  return price > 0 && price < 1;
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
