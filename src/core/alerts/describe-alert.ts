import { cents, dollars, oneLine, signedDollars } from '../base/text/formats.ts';
import type { Alert } from './alert.ts';
import { positionProfitOf } from './settlement.ts';

/** The fields of an alert that its description uses. */
export type DescribedAlert = Pick<Alert, 'type' | 'side' | 'outcome' | 'entryPrice' | 'usdc' | 'details'>;
type SettledAlert = DescribedAlert & Pick<Alert, 'resolution'>;

/**
 * The trade as a clause, for every text for people. It names the whole position (dollars, number of buys, price) if there is more
 * than the order:
 *
 * - one order: `bought Yes at 30¢ for $3,000`, of a maker `… with a resting order`
 * - several: `bought Yes: $3,203 in 6 buys at 12¢ on average, the last $50`
 * - a cluster: `3 new wallets bought Yes: $24,078 at 67¢`
 *
 * examples/alert-words.ts says the same from an alert's JSON.
 */
export function describeTrade(described: DescribedAlert): string {
  const alert = { ...described, outcome: oneLine(described.outcome) };
  const { type, side, outcome, usdc, details } = alert;
  if (side === 'SELL') return `sold ${orderWords(alert)}`;
  if (type === 'cluster') return clusterWords(alert);
  if (isOrderAlone(alert)) return `bought ${orderWords(alert)}`;
  const { marketBuyCount, marketTotalBought, marketAvgPrice } = details;
  const position = `${dollars(marketTotalBought)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`;
  return `bought ${outcome}: ${position}, the last ${dollars(usdc)}`;
}

function orderWords({ outcome, entryPrice, usdc, details }: DescribedAlert): string {
  const words = `${outcome} at ${cents(entryPrice)} for ${dollars(usdc)}`;
  return details.role === 'maker' ? `${words} with a resting order` : words;
}

function clusterWords({ outcome, entryPrice, usdc, details }: DescribedAlert): string {
  const { wallets = [], clusterTotal = usdc, clusterAvgPrice } = details;
  const bought = `${wallets.length} new wallets bought ${outcome}: ${dollars(clusterTotal)}`;
  if (clusterAvgPrice !== undefined) return `${bought} at ${cents(clusterAvgPrice)}`;
  return `${bought}, the last ${dollars(usdc)} at ${cents(entryPrice)}`;
}

/**
 * What became of an alert: `✅ Right: +$1,234 on the last order, +$5,678 on the whole position`. Where the order is the
 * whole position, `on the order`; where the position's figure is not known, that of the last order alone. The figures are
 * what these shares earned if held to the end, before fees. Null while its market is not settled.
 */
export function describeResult(alert: SettledAlert): string | null {
  const amounts = resultAmounts(alert);
  return amounts && `${alert.resolution?.won === true ? '✅ Right' : '❌ Wrong'}: ${amounts}`;
}

/** The amounts of `describeResult` without the word before them; null while the market is not settled. */
export function resultAmounts(alert: SettledAlert): string | null {
  const { resolution, type } = alert;
  if (resolution === null) return null;
  const order = `${signedDollars(resolution.profitUsdc)} on the`;
  if (isOrderAlone(alert)) return `${order} order`;
  const profit = positionProfitOf(alert);
  if (profit === null) return `${order} last order`;
  const whole = type === 'cluster' ? 'cluster' : 'position';
  return `${order} last order, ${signedDollars(profit)} on the whole ${whole}`;
}

function isOrderAlone({ type, side, details }: DescribedAlert): boolean {
  return side === 'SELL' || (type !== 'cluster' && details.marketBuyCount <= 1);
}
