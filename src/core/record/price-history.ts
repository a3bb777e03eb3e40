import { rounded } from '../base/rounded.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS, startOfHour } from '../base/time/duration.ts';
import type { AgeClass } from '../detection/order.ts';
import { parseQuotes, type QuotedOrder } from './observations/hour-text.ts';
import {
  type ObservedHour,
  type ObservedMarket,
  type OutcomeSide,
  onScaleOf,
} from './observations/observation-store.ts';

/** A price is the median of at most this many orders, of at most this time. */
const ORDERS = 3;
const LOOKBACK_MS = HOUR_MS;

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

/** A buy that was filled, at its own outcome's price. */
export interface FilledBuy {
  readonly at: EpochMs;
  readonly price: number;
  readonly shares: number;
}

/** A price, and the whole minute before which it was found. */
interface PriceOfMinute {
  readonly minute: EpochMs;
  readonly price: number;
}

/** An outcome, and when something of it counts. */
interface PriceWindow {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly outcome: OutcomeSide;
}

/** Items by the start of their minute, ascending. */
interface ByMinute<Item> {
  readonly minutes: EpochMs[];
  readonly items: Item[];
}

/** Prices of one market around its alerts, read from the observed hours. Times are those of the source. */
export class PriceHistory {
  /** Ascending by time, then by wallet and outcome. */
  readonly buys: readonly ObservedBuy[];
  readonly #orders: ByMinute<readonly QuotedOrder[]> = { minutes: [], items: [] };
  readonly #firstBuys: readonly [ByMinute<FilledBuy>, ByMinute<FilledBuy>] = [
    { minutes: [], items: [] },
    { minutes: [], items: [] },
  ];
  /** From when on each stored hour has its orders; infinite where they were not kept by the minute. */
  readonly #completeFrom = new Map<EpochMs, EpochMs>();
  readonly #market: Pick<ObservedMarket, 'spans' | 'completeFrom'>;

  constructor(
    hours: readonly Pick<ObservedHour, 'hour' | 'text'>[],
    market: Pick<ObservedMarket, 'spans' | 'completeFrom'>,
  ) {
    this.#market = market;
    const buys: ObservedBuy[] = [];
    for (const hour of hours.toSorted((a, b) => a.hour - b.hour)) buys.push(...this.#take(hour));
    this.buys = buys;
  }

  /**
   * The price before a second, USDC a share of the outcome with 6 decimals: the median of the last 3 orders of the hour before it;
   * with fewer, of those there are. `stale`: there is none. `unobserved`: orders that would count may be missing, since the market
   * was not observed by the minute then. Within a minute it knows the last orders of that minute only.
   */
  priceAt(moment: EpochMs, outcome: OutcomeSide): number | 'stale' | 'unobserved' {
    const { prices, since } = this.#lastBefore(moment, moment - LOOKBACK_MS);
    if (!this.#isComplete(since, moment)) return 'unobserved';
    if (prices.length === 0) return 'stale';
    return onScaleOf(outcome, median(prices));
  }

  /**
   * The first price after a second: at the first whole minute from `from` to `until` before which there was an order in a later
   * second and not more than an hour ago, the median of the last 3 of these orders. `stale`: there is none.
   */
  firstPriceAfter(
    second: EpochMs,
    { from, until, outcome }: PriceWindow,
  ): PriceOfMinute | 'stale' | 'unobserved' {
    const earliest = Math.max(second + SECOND_MS, from - LOOKBACK_MS);
    const minute = Math.max(from, this.#firstMinuteWith(earliest) + MINUTE_MS);
    if (!this.#isComplete(earliest, Math.min(minute, until))) return 'unobserved';
    if (minute > until) return 'stale';
    return { minute, price: onScaleOf(outcome, median(this.#lastBefore(minute, earliest).prices)) };
  }

  /**
   * The first buy of the outcome in a minute that begins at `from` or later and before `until`. `unobserved`: an earlier one
   * may be missing.
   */
  firstBuy({ from, until, outcome }: PriceWindow): FilledBuy | null | 'unobserved' {
    const { minutes, items } = this.#firstBuys[outcome];
    const index = firstFrom(minutes, from);
    const found = (minutes[index] ?? until) < until ? (items[index] ?? null) : null;
    return this.#isComplete(from, found?.at ?? until) ? found : 'unobserved';
  }

  /**
   * The prices of the last orders from `earliest` on and before a moment, on the scale of the base outcome, and from when on orders
   * were looked at.
   */
  #lastBefore(moment: EpochMs, earliest: EpochMs): { prices: readonly number[]; since: EpochMs } {
    const { minutes, items } = this.#orders;
    const prices: number[] = [];
    for (let index = firstFrom(minutes, moment) - 1; index >= 0; index--) {
      const begin = minutes[index] as EpochMs;
      if (begin + MINUTE_MS <= earliest) break;
      for (const [second, price] of (items[index] as readonly QuotedOrder[]).toReversed()) {
        const at = begin + second * SECOND_MS;
        if (at >= moment || at < earliest) continue;
        prices.push(price);
        if (prices.length === ORDERS) return { prices, since: at };
      }
    }
    return { prices, since: earliest };
  }

  /** The start of the first minute with an order from a moment on; infinite where there is none. */
  #firstMinuteWith(earliest: EpochMs): EpochMs {
    const { minutes, items } = this.#orders;
    for (let index = firstFrom(minutes, earliest - MINUTE_MS + 1); index < minutes.length; index++) {
      const begin = minutes[index] as EpochMs;
      const last = (items[index] as readonly QuotedOrder[]).at(-1) as QuotedOrder;
      if (begin + last[0] * SECOND_MS >= earliest) return begin;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Whether all orders from a moment on and before another were kept by the minute. */
  #isComplete(from: EpochMs, until: EpochMs): boolean {
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

  #take({ hour, text }: Pick<ObservedHour, 'hour' | 'text'>): readonly ObservedBuy[] {
    const { buys, from = 0, quotes } = parseQuotes(text);
    this.#completeFrom.set(hour, quotes === undefined ? Number.POSITIVE_INFINITY : hour + from * SECOND_MS);
    for (const [number, last, ...firstBuys] of quotes ?? []) {
      const minute = hour + number * MINUTE_MS;
      put(this.#orders, minute, last);
      for (const [outcome, first] of firstBuys.entries()) {
        if (first === null) continue;
        const [second, price, shares] = first;
        put(this.#firstBuys[outcome as OutcomeSide], minute, {
          at: minute + second * SECOND_MS,
          price,
          shares,
        });
      }
    }
    return buys.map(([second, wallet, outcome, price, shares, usdc, , ageClass]) => ({
      at: hour + second * SECOND_MS,
      wallet,
      outcome,
      price,
      shares,
      usdc,
      ageClass,
    }));
  }
}

function put<Item>({ minutes, items }: ByMinute<Item>, minute: EpochMs, item: Item): void {
  minutes.push(minute);
  items.push(item);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : rounded(((sorted[middle - 1] as number) + upper) / 2, 6);
}

/** Binary search: the index of the first value that is `from` or later; the length when there is none. */
function firstFrom(ascending: readonly number[], from: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ascending[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
