import { MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { MICROS, meanPrice } from '../../detection/order.ts';
import { basePriceOf, type HourView, type MinuteRun, outcomeOf } from './hour-view.ts';
import type { OrderRow } from './order-row.ts';

/** A price is the median of three; the fourth is for one that is asked within the minute, before an alert in it. */
const LAST_ORDERS = 4;

/** An order. `price`: on the scale of the base outcome; `outcome`: 0 the base, 1 the other; `side`: 0 a buy, 1 a sale. */
export type QuotedOrder = readonly [second: number, price: number, outcome: 0 | 1, side: 0 | 1];

/** The first buy of an outcome in a minute. `price`: that outcome's own. */
export type FirstBuy = readonly [second: number, price: number, shares: number];

/** The last up to four orders of a minute, by second and arrival, and the first buy of each outcome. Seconds are those of the minute. */
export type QuoteRow = readonly [
  minute: number,
  last: readonly QuotedOrder[],
  firstBuyBase: FirstBuy | null,
  firstBuyOther: FirstBuy | null,
];

/** A row for each minute. Orders: by second and arrival, without those of makers. */
export function quotesOf(minutes: readonly MinuteRun[], view: HourView): readonly QuoteRow[] {
  return minutes.map(({ minute, run }) => [
    minute,
    run.slice(-LAST_ORDERS).map((order) => quoted(order, view)),
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
