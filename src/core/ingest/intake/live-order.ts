import { compareFills, MICROS, ordersOf } from '../../detection/order.ts';
import type { Trade } from '../../trade.ts';
import type { LiveTrade } from './batch.ts';

/** Fills of one wallet, asset and side in one second. */
export interface LiveOrder {
  /** At least one, in the order in which they arrived. */
  readonly fills: readonly LiveTrade[];
  /** The whole order as one trade, by which facts are asked for. */
  readonly asTrade: Trade;
}

/** The orders that the fills of one second make up, sorted by wallet, asset and side. */
export function liveOrdersOf(arrived: readonly LiveTrade[]): readonly LiveOrder[] {
  const fills = arrived.toSorted((a, b) => compareFills(a.row.trade, b.row.trade));
  const orders: LiveOrder[] = [];
  for (let from = 0, to = 1; from < fills.length; to += 1) {
    const [first, next] = [fills[from] as LiveTrade, fills[to]];
    if (next !== undefined && compareFills(first.row.trade, next.row.trade) === 0) continue;
    orders.push(orderOf(first, fills.slice(from, to)));
    from = to;
  }
  return orders;
}

function orderOf(first: LiveTrade, fills: readonly LiveTrade[]): LiveOrder {
  const { trade } = first.row;
  if (fills.length === 1) return { fills, asTrade: trade };
  const [order] = ordersOf(fills.map(({ row }) => row.trade));
  if (order === undefined || order.shares === 0) return { fills, asTrade: trade };
  // Not rounded: facts are asked by the amount too, the product of shares and price.
  return { fills, asTrade: { ...trade, shares: order.shares / MICROS, price: order.usdc / order.shares } };
}
