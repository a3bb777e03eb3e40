import { type AgeClass, MICROS, meanPrice } from '../detection/order.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import { rounded } from '../rounded.ts';
import type { EpochMs } from '../trade.ts';
import { LARGE_BUY, type OrderRow } from './order-row.ts';

/**
 * What happened in a minute, or in the whole hour (`minute` null), on the scale of the base outcome: first, last, lowest and
 * highest price, shares, USDC, orders, orders in the other outcome, orders of which the role is unknown, and by bits which of the
 * prices are 1 minus a price of the other outcome.
 */
export type Bar = readonly [
  minute: number | null,
  first: number,
  last: number,
  low: number,
  high: number,
  shares: number,
  usdc: number,
  orders: number,
  mirrored: number,
  unknown: number,
  marks: number,
];

/** A buy of 250 USDC or more. `outcome`: 0 the base, 1 the other; `price`: that outcome's own. */
export type LargeBuyRow = readonly [
  second: number,
  wallet: string,
  outcome: 0 | 1,
  price: number,
  shares: number,
  usdc: number,
  role: 'taker' | null,
  ageClass: AgeClass,
];

/** Bits of `marks`. */
const MARKS = { first: 1, last: 2, low: 4, high: 8 } as const;

/** How an hour is observed. */
export interface HourView {
  /** The start of the hour. */
  readonly hour: EpochMs;
  /** By the minute, with the buys; otherwise one bar. */
  readonly isByMinute: boolean;
  /** The orders' base outcome is the other one of the bars. */
  readonly isMirrored: boolean;
  /** The second of the hour before which orders may be missing; 0 when it is whole. */
  readonly from: number;
}

/** The text of an hour. `orders`: by second and arrival. The part of makers is not shown, as its takers are. */
export function hourText(orders: readonly OrderRow[], view: HourView): string {
  const shown = orders.filter(({ role, shares }) => role !== 'maker' && shares > 0);
  // Canonical: the names are in order, and JSON writes numbers and texts as RFC 8785 does.
  return JSON.stringify({
    bars: barsOf(shown, view),
    buys: view.isByMinute ? buysOf(shown, view) : [],
    ...(view.from > 0 ? { from: view.from } : {}),
  });
}

/** From which second of the hour the orders in its text are complete. */
export function completeSecondOf(text: string): number {
  return (JSON.parse(text) as { readonly from?: number }).from ?? 0;
}

function barsOf(orders: readonly OrderRow[], view: HourView): readonly Bar[] {
  const building: BarBuilder[] = [];
  for (const order of orders) {
    const minute = view.isByMinute ? Math.floor((order.at - view.hour) / MINUTE_MS) : null;
    let bar = building.at(-1);
    if (bar === undefined || bar.minute !== minute) {
      bar = new BarBuilder(minute);
      building.push(bar);
    }
    bar.add(order, order.isOther !== view.isMirrored);
  }
  return building.map((bar) => bar.built());
}

/** Sums up the orders of a bar, one after the other. */
class BarBuilder {
  readonly minute: number | null;
  #first = 0;
  #last = 0;
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;
  #shares = 0;
  #usdc = 0;
  #orders = 0;
  #mirrored = 0;
  #unknown = 0;
  #marks = 0;

  constructor(minute: number | null) {
    this.minute = minute;
  }

  /** `isMirrored`: the order was in the other outcome. */
  add(order: OrderRow, isMirrored: boolean): void {
    const own = meanPrice(order);
    const price = isMirrored ? rounded(1 - own, 6) : own;
    if (this.#orders === 0) {
      this.#first = price;
      this.#mark(MARKS.first, isMirrored);
    }
    this.#last = price;
    this.#mark(MARKS.last, isMirrored);
    // Of equal prices the first.
    if (price < this.#low) {
      this.#low = price;
      this.#mark(MARKS.low, isMirrored);
    }
    if (price > this.#high) {
      this.#high = price;
      this.#mark(MARKS.high, isMirrored);
    }
    this.#shares += order.shares;
    this.#usdc += order.usdc;
    this.#orders += 1;
    if (isMirrored) this.#mirrored += 1;
    if (order.role === null) this.#unknown += 1;
  }

  built(): Bar {
    const prices = [this.#first, this.#last, this.#low, this.#high] as const;
    const amounts = [this.#shares / MICROS, this.#usdc / MICROS] as const;
    return [this.minute, ...prices, ...amounts, this.#orders, this.#mirrored, this.#unknown, this.#marks];
  }

  #mark(bit: number, isMirrored: boolean): void {
    this.#marks = isMirrored ? this.#marks | bit : this.#marks & ~bit;
  }
}

function buysOf(orders: readonly OrderRow[], view: HourView): readonly LargeBuyRow[] {
  const buys: LargeBuyRow[] = [];
  for (const order of orders) {
    const { at, isOther, role, usdc, shares, largeBuy } = order;
    if (largeBuy === null || usdc < LARGE_BUY || role === 'maker') continue;
    const outcome = isOther === view.isMirrored ? 0 : 1;
    const second = (at - view.hour) / SECOND_MS;
    const amounts = [meanPrice(order), shares / MICROS, usdc / MICROS] as const;
    buys.push([second, largeBuy.wallet, outcome, ...amounts, role, largeBuy.ageClass]);
  }
  return buys.sort(compareBuys);
}

/** Wallets by UTF-16 code units, the same everywhere. */
function compareBuys([second, wallet, outcome]: LargeBuyRow, other: LargeBuyRow): number {
  if (second !== other[0]) return second - other[0];
  if (wallet !== other[1]) return wallet < other[1] ? -1 : 1;
  return outcome - other[2];
}
