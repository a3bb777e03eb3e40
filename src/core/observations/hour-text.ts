import { type AgeClass, MICROS, meanPrice } from '../detection/order.ts';
import { MINUTE_MS, SECOND_MS } from '../duration.ts';
import { rounded } from '../rounded.ts';
import { runsOf } from '../runs-of.ts';
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
  const minuteOf = ({ at }: OrderRow) => (view.isByMinute ? Math.floor((at - view.hour) / MINUTE_MS) : null);
  const runs = runsOf(orders, (a, b) => minuteOf(a) === minuteOf(b));
  return runs.map((run) => barOf(run, minuteOf(run[0] as OrderRow), view));
}

/** `orders`: at least one. The lowest and the highest are the first of equal prices. */
function barOf(orders: readonly OrderRow[], minute: number | null, view: HourView): Bar {
  const isMirrored = ({ isOther }: OrderRow) => isOther !== view.isMirrored;
  const priceOf = (order: OrderRow) =>
    isMirrored(order) ? rounded(1 - meanPrice(order), 6) : meanPrice(order);
  const [first, last] = [orders[0] as OrderRow, orders.at(-1) as OrderRow];
  let [low, lowest] = [first, Number.POSITIVE_INFINITY];
  let [high, highest] = [first, Number.NEGATIVE_INFINITY];
  let [shares, usdc, mirrored, unknown] = [0, 0, 0, 0];
  for (const order of orders) {
    const price = priceOf(order);
    if (price < lowest) [low, lowest] = [order, price];
    if (price > highest) [high, highest] = [order, price];
    shares += order.shares;
    usdc += order.usdc;
    if (isMirrored(order)) mirrored += 1;
    if (order.role === null) unknown += 1;
  }
  const prices = [priceOf(first), priceOf(last), lowest, highest] as const;
  const markOf = (order: OrderRow, bit: number) => (isMirrored(order) ? bit : 0);
  const marks =
    markOf(first, MARKS.first) | markOf(last, MARKS.last) | markOf(low, MARKS.low) | markOf(high, MARKS.high);
  return [minute, ...prices, shares / MICROS, usdc / MICROS, orders.length, mirrored, unknown, marks];
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
