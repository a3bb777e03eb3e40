import type { Alert } from './alert.ts';
import { cents, dollars, signedDollars } from './alert-words.ts';
import { positionProfitOf } from './resolution.ts';

/** The facts of an alert that its description is made of. */
export type DescribedAlert = Pick<Alert, 'type' | 'side' | 'outcome' | 'entryPrice' | 'usdc' | 'details'>;

/**
 * What was traded, as a clause that every text for people uses. It names the whole position (dollars, number of buys,
 * price) wherever there is more than the order:
 *
 * - `fresh`: `bought Yes at 30¢ for $3,000`, and `; so far $3,400 in 2 buys at 29.1¢ on average` after earlier buys
 * - `fresh_accumulator`: `bought Yes: $3,203 in 6 buys at 12¢ on average, the last $50`
 * - `cluster`: `3 new wallets bought Yes: $24,078 at 67¢`
 *
 * examples/alert-words.ts says the same from an alert's JSON.
 */
export function describeTrade(alert: DescribedAlert): string {
  const { type, side, outcome, entryPrice, usdc, details } = alert;
  if (side === 'SELL') return `sold ${outcome} at ${cents(entryPrice)} for ${dollars(usdc)}`;
  if (type === 'cluster') return clusterWords(alert);
  const order = `bought ${outcome} at ${cents(entryPrice)} for ${dollars(usdc)}`;
  if (isOrderAlone(alert)) return order;
  const { marketBuyCount, marketTotalBought, marketAvgPrice } = details;
  const position = `${dollars(marketTotalBought)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`;
  if (type === 'fresh') return `${order}; so far ${position}`;
  return `bought ${outcome}: ${position}, the last ${dollars(usdc)}`;
}

function clusterWords({ outcome, entryPrice, usdc, details }: DescribedAlert): string {
  const { wallets = [], clusterTotal = usdc, clusterAvgPrice } = details;
  const bought = `${wallets.length} new wallets bought ${outcome}: ${dollars(clusterTotal)}`;
  if (clusterAvgPrice !== undefined) return `${bought} at ${cents(clusterAvgPrice)}`;
  return `${bought}, the last ${dollars(usdc)} at ${cents(entryPrice)}`;
}

/**
 * What became of an alert: `✅ Right: +$1,234 had one followed the last order, +$5,678 the whole position`. One figure
 * where the order is the whole position, or the position's is not known. Null while its market is not settled.
 */
export function describeResult(alert: DescribedAlert & Pick<Alert, 'resolution'>): string | null {
  const { resolution, type } = alert;
  if (resolution === null) return null;
  const order = signedDollars(resolution.profitUsdc);
  const followed = `${resolution.won ? '✅ Right' : '❌ Wrong'}: ${order} had one followed`;
  if (isOrderAlone(alert)) return followed;
  const profit = positionProfitOf(alert);
  if (profit === null) return `${followed} the last order`;
  const whole = type === 'cluster' ? 'cluster' : 'position';
  return `${followed} the last order, ${signedDollars(profit)} the whole ${whole}`;
}

function isOrderAlone({ type, side, details }: DescribedAlert): boolean {
  return side === 'SELL' || (type !== 'cluster' && details.marketBuyCount <= 1);
}
