/**
 * Says what was traded and what became of it, from an alert's JSON. Copy it.
 *
 * `usdc_value` and `entry_price` are those of one order. What a wallet or a cluster bought altogether is in `details`,
 * and is what a person should read first: an order of $50 can be the last of a position of $3,203.
 */
import type { Alert } from '../clients/typescript/src/index.ts';

type Traded = Pick<Alert, 'alert_type' | 'side' | 'outcome' | 'entry_price' | 'usdc_value' | 'details'>;
type Settled = Traded & Pick<Alert, 'won' | 'profit_usdc'>;

/** `bought Yes at 30¢ for $3,000` (of a maker `… with a resting order`), or the position or cluster where there is more than the order. */
export function describeTrade(alert: Traded): string {
  const { alert_type, side, outcome, usdc_value, details } = alert;
  if (side === 'SELL') return `sold ${orderWords(alert)}`;
  if (alert_type === 'cluster') return clusterWords(alert);
  const { market_buy_count, market_total_bought, market_avg_price } = details;
  if (market_buy_count <= 1) return `bought ${orderWords(alert)}`;
  const position = `${dollars(market_total_bought)} in ${market_buy_count} buys at ${cents(market_avg_price)} on average`;
  return `bought ${outcome}: ${position}, the last ${dollars(usdc_value)}`;
}

function orderWords({ outcome, entry_price, usdc_value, details }: Traded): string {
  const words = `${outcome} at ${cents(entry_price)} for ${dollars(usdc_value)}`;
  return details.role === 'maker' ? `${words} with a resting order` : words;
}

function clusterWords({ outcome, entry_price, usdc_value, details }: Traded): string {
  // Alerts made before version 3 of the rules have no mean price of the cluster.
  const { wallets = [], cluster_total = usdc_value, cluster_avg_price } = details;
  const bought = `${wallets.length} new wallets bought ${outcome}: ${dollars(cluster_total)}`;
  if (cluster_avg_price !== undefined) return `${bought} at ${cents(cluster_avg_price)}`;
  return `${bought}, the last ${dollars(usdc_value)} at ${cents(entry_price)}`;
}

/**
 * `✅ Right: +$450 on the last order, +$23,489 on the whole position`: what the shares earned if held to the end, before
 * fees. Null while the market is not settled.
 */
export function describeResult(alert: Settled): string | null {
  const { alert_type, side, won, profit_usdc, details } = alert;
  if (won === null || profit_usdc === null) return null;
  const order = `${won ? '✅ Right' : '❌ Wrong'}: ${signedDollars(profit_usdc)} on the`;
  const isCluster = alert_type === 'cluster';
  if (side === 'SELL' || (!isCluster && details.market_buy_count <= 1)) return `${order} order`;
  const profit = details.position_profit_usdc;
  if (profit === null) return `${order} last order`;
  return `${order} last order, ${signedDollars(profit)} on the whole ${isCluster ? 'cluster' : 'position'}`;
}

function signedDollars(usdc: number): string {
  return `${usdc < 0 ? '−' : '+'}${dollars(Math.abs(usdc))}`;
}

/** `$12,340`; below one dollar to the cent. */
function dollars(usdc: number): string {
  const amount = Math.round(usdc * 100) / 100;
  if (amount === 0) return '$0';
  return `$${amount < 1 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en-US')}`;
}

/** `94.5¢`; more digits only where a price would read as 0¢ or 100¢ without being it. */
function cents(price: number): string {
  const isEdge = (inCents: number) => inCents <= 0 || inCents >= 100;
  const exact = price * 100;
  const said = [1, 2, 3, 4].map((decimals) => Number(exact.toFixed(decimals)));
  return `${said.find((inCents) => isEdge(inCents) === isEdge(exact)) ?? exact}¢`;
}
