import { rounded } from '../../base/rounded.ts';
import { runsOf } from '../../base/runs-of.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { meanPrice } from '../../detection/order.ts';
import type { OrderRow } from './order-segment.ts';

/** The parsed text of an hour. Prices are mean prices of orders on the scale of the base outcome, USDC a share, 6 decimals. */
export interface HourContent {
  /** The second of the hour from which orders are complete; absent when it is the first. */
  readonly from?: number;
  /** Of an hour by the minute: the first order of each minute and its last ones, up to three. Seconds are those of the hour. */
  readonly orders?: readonly PricedOrder[];
  /** Of an hour that is observed as a whole: the prices of its first and its last order; empty without one. */
  readonly whole?: readonly number[];
}

type PricedOrder = readonly [second: number, price: number];

/** How an hour is observed. */
export interface HourView {
  readonly hour: EpochMs;
  /** By the minute; otherwise as a whole. */
  readonly isByMinute: boolean;
  /** The orders' base outcome is the other one of the market's. */
  readonly isMirrored: boolean;
  /** The second of the hour before which orders may be missing; 0 when it is whole. */
  readonly from: number;
}

/** Number of a minute's orders that are kept besides the first. */
const LAST_ORDERS = 3;

/** The text of an hour. `orders`: by second and arrival. The makers' side is not shown, since the takers' side is. */
export function hourText(orders: readonly OrderRow[], view: HourView): string {
  const shown = orders.filter(({ isMaker, shares }) => !isMaker && shares > 0);
  const from = view.from > 0 && { from: view.from };
  // Canonical, since the names are in order and JSON writes numbers and texts as RFC 8785 does.
  if (view.isByMinute)
    return JSON.stringify({ ...from, orders: ordersOfMinutes(shown, view) } satisfies HourContent);
  const ends = shown.length === 0 ? [] : [shown[0] as OrderRow, shown.at(-1) as OrderRow];
  return JSON.stringify({ ...from, whole: ends.map((order) => priceOf(order, view)) } satisfies HourContent);
}

/** Reads a text of `hourText`. */
export function parseHour(text: string): HourContent {
  return JSON.parse(text);
}

function ordersOfMinutes(orders: readonly OrderRow[], view: HourView): readonly PricedOrder[] {
  const minuteOf = ({ at }: OrderRow) => Math.floor(at / MINUTE_MS);
  const minutes = runsOf(orders, (a, b) => minuteOf(a) === minuteOf(b));
  const kept = minutes.flatMap((run) => [...run.slice(0, 1), ...run.slice(1).slice(-LAST_ORDERS)]);
  return kept.map((order) => [(order.at - view.hour) / SECOND_MS, priceOf(order, view)]);
}

function priceOf(order: OrderRow, { isMirrored }: HourView): number {
  return order.isOther === isMirrored ? meanPrice(order) : rounded(1 - meanPrice(order), 6);
}
