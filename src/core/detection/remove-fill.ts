import type { Trade } from '../trades/trade.ts';
import type { DetectorMemory } from './detector-memory.ts';
import { forget, outcomeKeyOf } from './judge-orders.ts';
import { unbookVolume } from './market-memory.ts';
import { type Order, ordersOf } from './order.ts';
import { removeBuy, removeEarlyBuy, removeSale } from './position.ts';

/**
 * Undoes what a booked fill added to its order and position, its buy in the window of a cluster and the volume of its market,
 * as far as they are remembered. Alerts and the measures of threads stay, and so do the wallet's age and markets: a removed
 * fill makes no wallet fresher.
 */
export function removeFill({ markets, wallets, clusters, rules }: DetectorMemory, fill: Trade): void {
  const [removed] = ordersOf([fill]) as [Order];
  const market = markets.touch(fill);
  unbookVolume(market, removed.usdc, removed.at);
  const { wallet, marketId, asset, side } = fill;
  const position = wallets.alter(wallet)?.holdings.get(marketId)?.positions.get(asset);
  if (side === 'SELL') {
    if (position !== undefined) removeSale(position, removed);
    return;
  }
  clusters.reduce(outcomeKeyOf(fill), wallet, removed);
  if (position === undefined) return;
  removeEarlyBuy(position, removed);
  const order = removeBuy(position, removed, market.isIgnored ? null : rules);
  if (order !== null && !order.counts) forget(clusters, { fill, position, order });
}
