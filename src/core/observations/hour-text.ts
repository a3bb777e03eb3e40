import { MICROS, meanPrice } from '../detection/order.ts';
import type { AgeClass } from '../detection/order-listener.ts';
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
export type BuyLine = readonly [
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
  if (orders.length === 0) return [];
  if (!view.isByMinute) return [barOf(null, orders, view)];
  const minuteOf = ({ at }: OrderRow) => Math.floor((at - view.hour) / MINUTE_MS);
  return runsOf(orders, (a, b) => minuteOf(a) === minuteOf(b)).map((run) =>
    barOf(minuteOf(run[0] as OrderRow), run, view),
  );
}

interface Quote {
  readonly price: number;
  readonly isMirrored: boolean;
}

function barOf(minute: number | null, orders: readonly OrderRow[], view: HourView): Bar {
  const quotes = orders.map((order) => quoteOf(order, view));
  const [first, last] = [quotes[0] as Quote, quotes.at(-1) as Quote];
  // Of equal prices the first.
  const low = quotes.reduce((lowest, quote) => (quote.price < lowest.price ? quote : lowest));
  const high = quotes.reduce((highest, quote) => (quote.price > highest.price ? quote : highest));
  let [shares, usdc, mirrored, unknown] = [0, 0, 0, 0];
  for (const [index, order] of orders.entries()) {
    shares += order.shares;
    usdc += order.usdc;
    if (quotes[index]?.isMirrored === true) mirrored += 1;
    if (order.role === null) unknown += 1;
  }
  const marks =
    (first.isMirrored ? MARKS.first : 0) |
    (last.isMirrored ? MARKS.last : 0) |
    (low.isMirrored ? MARKS.low : 0) |
    (high.isMirrored ? MARKS.high : 0);
  const prices = [first.price, last.price, low.price, high.price] as const;
  return [minute, ...prices, shares / MICROS, usdc / MICROS, orders.length, mirrored, unknown, marks];
}

function quoteOf(order: OrderRow, view: HourView): Quote {
  const isMirrored = order.isOther !== view.isMirrored;
  const price = meanPrice(order);
  return { price: isMirrored ? rounded(1 - price, 6) : price, isMirrored };
}

function buysOf(orders: readonly OrderRow[], view: HourView): readonly BuyLine[] {
  const buys: BuyLine[] = [];
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
function compareBuys([second, wallet, outcome]: BuyLine, other: BuyLine): number {
  if (second !== other[0]) return second - other[0];
  if (wallet !== other[1]) return wallet < other[1] ? -1 : 1;
  return outcome - other[2];
}
