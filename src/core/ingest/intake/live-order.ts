import { runsOf } from '../../base/runs-of.ts';
import { compareFills, isOfOneOrder, MICROS, ordersOf } from '../../detection/order.ts';
import type { Trade } from '../../trades/trade.ts';
import type { LiveTrade } from './batch.ts';

/** Fills of one wallet, asset and side in one second. */
export interface LiveOrder {
  /** At least one, in the order in which they arrived. */
  readonly fills: readonly LiveTrade[];
  /** The whole order as one trade, by which facts are requested. */
  readonly asTrade: Trade;
}

/** Groups the fills of one second into orders, sorted by wallet, asset and side. */
export function liveOrdersOf(arrived: readonly LiveTrade[]): readonly LiveOrder[] {
  const fills = arrived.toSorted((a, b) => compareFills(a.row.trade, b.row.trade));
  return runsOf(fills, (a, b) => isOfOneOrder(a.row.trade, b.row.trade)).map(orderOf);
}

function orderOf(fills: readonly LiveTrade[]): LiveOrder {
  const { trade } = (fills[0] as LiveTrade).row;
  if (fills.length === 1) return { fills, asTrade: trade };
  const [order] = ordersOf(fills.map(({ row }) => row.trade));
  if (order === undefined || order.shares === 0) return { fills, asTrade: trade };
  // Not rounded: whether facts are needed depends on the product of shares and price.
  return {
    fills,
    asTrade: { ...order.fill, shares: order.shares / MICROS, price: order.usdc / order.shares },
  };
}
