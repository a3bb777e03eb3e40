import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS, startOfHour } from '../base/time/duration.ts';
import type { AgeClass } from '../detection/order.ts';
import type { PricePoint } from '../trades/price-point.ts';
import { parseHour } from './observations/hour-text.ts';
import type { ObservedHour, ObservedMarket } from './observations/observation-store.ts';
import { type OutcomeSide, onScaleOf } from './observations/observation-store.ts';

/** A buy of 250 USDC or more, not known to be a maker's. `price`: of its own outcome. */
export interface ObservedBuy {
  readonly at: EpochMs;
  readonly wallet: string;
  readonly outcome: OutcomeSide;
  readonly price: number;
  readonly shares: number;
  readonly usdc: number;
  readonly ageClass: AgeClass;
}

/** Orders that were kept of a minute, or of an hour that was observed as a whole. Prices are on the scale of the base outcome. */
interface Interval {
  readonly begin: EpochMs;
  /** The first order, then the last ones. */
  readonly orders: readonly PricePoint[];
  /** The first buy of each outcome, at that outcome's own price. */
  readonly firstBuys: readonly (PricePoint | null)[];
}

/** Times from `from` on and before `until`. */
interface Search {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly outcome: OutcomeSide;
}

/** Taker orders of one market around its alerts, read from the observed hours. Times are those of the source. */
export class PriceHistory {
  /** Ascending by time, then by wallet and outcome. */
  readonly buys: readonly ObservedBuy[];
  readonly #intervals: readonly Interval[];
  /** Since when each stored hour has its orders. */
  readonly #completeFrom = new Map<EpochMs, EpochMs>();
  readonly #market: Pick<ObservedMarket, 'spans' | 'completeFrom'>;

  constructor(
    hours: readonly Pick<ObservedHour, 'hour' | 'text'>[],
    market: Pick<ObservedMarket, 'spans' | 'completeFrom'>,
  ) {
    this.#market = market;
    const parsed = hours.toSorted((a, b) => a.hour - b.hour).map((hour) => this.#parse(hour));
    this.buys = parsed.flatMap(({ buys }) => buys);
    this.#intervals = parsed.flatMap(({ intervals }) => intervals);
  }

  /** The first order of the first minute (or whole hour) that has one, at the price of the outcome. */
  firstOrder({ from, until, outcome }: Search): PricePoint | null {
    const found = this.#intervals[this.#indexFrom(from)];
    const [first] = found === undefined || found.begin >= until ? [] : found.orders;
    return first === undefined ? null : { at: first.at, price: onScaleOf(outcome, first.price) };
  }

  /** The last kept order within the times. */
  lastOrder({ from, until, outcome }: Search): PricePoint | null {
    for (let index = this.#indexFrom(until) - 1; index >= 0; index -= 1) {
      const { begin, orders } = this.#intervals[index] as Interval;
      if (begin + HOUR_MS < from) return null;
      const last = orders.findLast(({ at }) => at < until && at >= from);
      if (last !== undefined) return { at: last.at, price: onScaleOf(outcome, last.price) };
    }
    return null;
  }

  /** The first buy of the outcome in a minute that begins within the times. */
  firstBuy({ from, until, outcome }: Search): PricePoint | null {
    for (let index = this.#indexFrom(from); index < this.#intervals.length; index += 1) {
      const { begin, firstBuys } = this.#intervals[index] as Interval;
      if (begin >= until) return null;
      const first = firstBuys[outcome];
      if (first != null) return first;
    }
    return null;
  }

  /** Whether all orders within the times were kept by the minute: if not, one that is not found may be missing. */
  isComplete({ from, until }: Pick<Search, 'from' | 'until'>): boolean {
    for (let hour = startOfHour(from); hour < until; hour += HOUR_MS)
      if (this.#completeFromOf(hour) > Math.max(hour, from)) return false;
    return true;
  }

  /** An hour in which the market did not trade has no row. */
  #completeFromOf(hour: EpochMs): EpochMs {
    const { spans, completeFrom } = this.#market;
    if (!spans.some(({ from, until }) => hour >= from && hour < until)) return Number.POSITIVE_INFINITY;
    return this.#completeFrom.get(hour) ?? completeFrom;
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

  #parse({ hour, text }: Pick<ObservedHour, 'hour' | 'text'>) {
    const { bars, buys, from = 0, quotes } = parseHour(text);
    if (quotes !== undefined) this.#completeFrom.set(hour, hour + from * SECOND_MS);
    // In a whole hour the seconds are unknown; its prices count as known at its end.
    const wholeHours = bars.map(([, first, last]) => ({
      begin: hour,
      orders: [first, last].map((price) => ({ at: hour + HOUR_MS, price })),
      firstBuys: [],
    }));
    const minutes = quotes?.map(([number, orders, ...firstBuys]): Interval => {
      const begin = hour + number * MINUTE_MS;
      const pointOf = ([second, price]: readonly [number, number, ...unknown[]]) => ({
        at: begin + second * SECOND_MS,
        price,
      });
      return { begin, orders: orders.map(pointOf), firstBuys: firstBuys.map((buy) => buy && pointOf(buy)) };
    });
    return {
      intervals: minutes ?? wholeHours,
      buys: buys.map(([second, wallet, outcome, price, shares, usdc, , ageClass]): ObservedBuy => {
        const at = hour + second * SECOND_MS;
        return { at, wallet, outcome, price, shares, usdc, ageClass };
      }),
    };
  }
}
