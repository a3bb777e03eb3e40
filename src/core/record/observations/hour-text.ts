import { rounded } from '../../base/rounded.ts';
import { runsOf } from '../../base/runs-of.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { type AgeClass, MICROS, meanPrice } from '../../detection/order.ts';
import { LARGE_BUY, type OrderRow } from './order-segment.ts';

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

/** The parsed text of an hour. */
export interface HourContent {
  readonly bars: readonly Bar[];
  readonly buys: readonly LargeBuyRow[];
  /** The second of the hour from which orders are complete; absent when it is the first. */
  readonly from?: number;
  /** Absent in hours that are observed as a whole. */
  readonly quotes?: readonly QuoteRow[];
}

/** The text of an hour. `orders`: by second and arrival. The makers' side is not shown, since the takers' side is. */
export function hourText(orders: readonly OrderRow[], view: HourView): string {
  const shown = orders.filter(({ role, shares }) => role !== 'maker' && shares > 0);
  const from = view.from > 0 && { from: view.from };
  // Canonical, since the names are in order and JSON writes numbers and texts as RFC 8785 does.
  if (!view.isByMinute) {
    const bars = shown.length === 0 ? [] : [barOf(shown, null, view)];
    return JSON.stringify({ bars, buys: [], ...from } satisfies HourContent);
  }
  const minutes = minutesOf(shown, view);
  return JSON.stringify({
    bars: minutes.map(({ minute, run }) => barOf(run, minute, view)),
    buys: buysOf(shown, view),
    ...from,
    quotes: quotesOf(minutes, view),
  } satisfies HourContent);
}

/** Reads a text of `hourText`. */
export function parseHour(text: string): HourContent {
  return JSON.parse(text);
}

/** `orders`: at least one. The lowest and the highest are the first of equal prices. */
function barOf(orders: readonly OrderRow[], minute: number | null, view: HourView): Bar {
  const isMirrored = (order: OrderRow) => outcomeOf(order, view) === 1;
  const priceOf = (order: OrderRow) => basePriceOf(order, view);
  const [first, last] = [orders[0] as OrderRow, orders.at(-1) as OrderRow];
  let low = first;
  let high = first;
  let shares = 0;
  let usdc = 0;
  let mirrored = 0;
  let unknown = 0;
  for (const order of orders) {
    const price = priceOf(order);
    if (price < priceOf(low)) low = order;
    if (price > priceOf(high)) high = order;
    shares += order.shares;
    usdc += order.usdc;
    if (isMirrored(order)) mirrored += 1;
    if (order.role === null) unknown += 1;
  }
  const prices = [priceOf(first), priceOf(last), priceOf(low), priceOf(high)] as const;
  const markOf = (order: OrderRow, bit: number) => (isMirrored(order) ? bit : 0);
  const marks =
    markOf(first, MARKS.first) | markOf(last, MARKS.last) | markOf(low, MARKS.low) | markOf(high, MARKS.high);
  return [minute, ...prices, shares / MICROS, usdc / MICROS, orders.length, mirrored, unknown, marks];
}

function buysOf(orders: readonly OrderRow[], view: HourView): readonly LargeBuyRow[] {
  const buys: LargeBuyRow[] = [];
  for (const order of orders) {
    const { at, role, usdc, shares, largeBuy } = order;
    if (largeBuy === null || usdc < LARGE_BUY || role === 'maker') continue;
    const outcome = outcomeOf(order, view);
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

/** How an hour is observed. */
export interface HourView {
  readonly hour: EpochMs;
  /** By the minute, with the buys and the quotes; otherwise one bar. */
  readonly isByMinute: boolean;
  /** The orders' base outcome is the other one of the bars. */
  readonly isMirrored: boolean;
  /** The second of the hour before which orders may be missing; 0 when it is whole. */
  readonly from: number;
}

/** The outcome of an order: 0 the base of the bars, 1 the other. */
function outcomeOf({ isOther }: OrderRow, { isMirrored }: HourView): 0 | 1 {
  return isOther === isMirrored ? 0 : 1;
}

/** Mean price of an order on the scale of the base outcome, USDC a share, 6 decimals. */
function basePriceOf(order: OrderRow, view: HourView): number {
  return outcomeOf(order, view) === 0 ? meanPrice(order) : rounded(1 - meanPrice(order), 6);
}

/** Orders of one minute (0 to 59), at least one. */
interface MinuteRun {
  readonly minute: number;
  readonly run: readonly OrderRow[];
}

/** Orders of an hour by minute. */
function minutesOf(orders: readonly OrderRow[], { hour }: HourView): readonly MinuteRun[] {
  const minuteOf = ({ at }: OrderRow) => Math.floor((at - hour) / MINUTE_MS);
  const runs = runsOf(orders, (a, b) => minuteOf(a) === minuteOf(b));
  return runs.map((run) => ({ minute: minuteOf(run[0] as OrderRow), run }));
}

/** Number of a minute's orders that are kept besides the first. */
const LAST_ORDERS = 3;

/** An order. `price`: on the scale of the base outcome; `outcome`: 0 the base, 1 the other; `side`: 0 a buy, 1 a sale. */
export type QuotedOrder = readonly [second: number, price: number, outcome: 0 | 1, side: 0 | 1];

/** The first buy of an outcome in a minute. `price`: that outcome's own. */
type FirstBuy = readonly [second: number, price: number, shares: number];

/** The first and the last up to three orders of a minute, by second, wallet, asset and side, and the first buy of each outcome. Seconds are those of the minute. */
type QuoteRow = readonly [
  minute: number,
  orders: readonly QuotedOrder[],
  firstBuyBase: FirstBuy | null,
  firstBuyOther: FirstBuy | null,
];

/** A row for each minute. Orders: by second and arrival, without those of makers. */
function quotesOf(minutes: readonly MinuteRun[], view: HourView): readonly QuoteRow[] {
  return minutes.map(({ minute, run }) => [
    minute,
    [...run.slice(0, 1), ...run.slice(1).slice(-LAST_ORDERS)].map((order) => quoted(order, view)),
    firstBuyOf(0, run, view),
    firstBuyOf(1, run, view),
  ]);
}

function quoted(order: OrderRow, view: HourView): QuotedOrder {
  return [secondOf(order), basePriceOf(order, view), outcomeOf(order, view), order.isSale ? 1 : 0];
}

function firstBuyOf(outcome: 0 | 1, run: readonly OrderRow[], view: HourView): FirstBuy | null {
  const first = run.find((order) => !order.isSale && outcomeOf(order, view) === outcome);
  return first === undefined ? null : [secondOf(first), meanPrice(first), first.shares / MICROS];
}

/** Second of the minute. */
function secondOf({ at }: OrderRow): number {
  return (at % MINUTE_MS) / SECOND_MS;
}
