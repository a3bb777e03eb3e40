import { rounded } from '../../base/rounded.ts';
import { runsOf } from '../../base/runs-of.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { MINUTE_MS } from '../../base/time/duration.ts';
import { meanPrice } from '../../detection/order.ts';
import type { OrderRow } from './order-row.ts';

/** How an hour is observed. */
export interface HourView {
  /** The start of the hour. */
  readonly hour: EpochMs;
  /** By the minute, with the buys and the quotes; otherwise one bar. */
  readonly isByMinute: boolean;
  /** The orders' base outcome is the other one of the bars. */
  readonly isMirrored: boolean;
  /** The second of the hour before which orders may be missing; 0 when it is whole. */
  readonly from: number;
}

/** The outcome of an order: 0 the base of the bars, 1 the other. */
export function outcomeOf({ isOther }: OrderRow, { isMirrored }: HourView): 0 | 1 {
  return isOther === isMirrored ? 0 : 1;
}

/** Mean price of an order on the scale of the base outcome, USDC a share, 6 decimals. */
export function basePriceOf(order: OrderRow, view: HourView): number {
  return outcomeOf(order, view) === 0 ? meanPrice(order) : rounded(1 - meanPrice(order), 6);
}

/** Orders of one minute (0 to 59), at least one. */
export interface MinuteRun {
  readonly minute: number;
  readonly run: readonly OrderRow[];
}

/** Orders of an hour by minute. */
export function minutesOf(orders: readonly OrderRow[], { hour }: HourView): readonly MinuteRun[] {
  const minuteOf = ({ at }: OrderRow) => Math.floor((at - hour) / MINUTE_MS);
  const runs = runsOf(orders, (a, b) => minuteOf(a) === minuteOf(b));
  return runs.map((run) => ({ minute: minuteOf(run[0] as OrderRow), run }));
}
