/**
 * Describes what was traded and how it ended, from an alert's JSON. Copy it.
 *
 * `usdc_value` and `entry_price` describe one order. `details` has everything that the wallet or cluster bought, which is what
 * people should read first: an order of $50 can be the last of a position of $3,203.
 */
import type { Alert } from '../clients/typescript/src/index.ts';

type Traded = Pick<Alert, 'alert_type' | 'side' | 'outcome' | 'entry_price' | 'usdc_value' | 'details'>;
type Settled = Traded & Pick<Alert, 'profit_usdc'>;

/** `$3,000 on Yes at 30¢ to win $7,000` (for a maker `… with a resting order`), or the whole position or cluster if it is more than the order. */
export function describeTrade(alert: Traded): string {
  const { alert_type, side, outcome, entry_price, usdc_value, details } = alert;
  const { market_buy_count, market_total_bought, market_avg_price, position_shares } = details;
  const resting = details.role === 'maker' ? ' with a resting order' : '';
  if (side === 'SELL') return `sold ${outcome} at ${cents(entry_price)} for ${dollars(usdc_value)}${resting}`;
  const toWin = `to win ${dollars(details.to_win_usdc)}`;
  if (alert_type === 'cluster') {
    const { wallets = [], cluster_total = usdc_value, cluster_avg_price = entry_price } = details;
    return `${wallets.length} wallets, ${dollars(cluster_total)} on ${outcome} at ${cents(cluster_avg_price)} ${toWin}`;
  }
  if (market_buy_count <= 1) {
    return `${dollars(usdc_value)} on ${outcome} at ${cents(entry_price)} ${toWin}${resting}`;
  }
  const position = `${dollars(market_total_bought)} on ${outcome} in ${market_buy_count} buys at ${cents(market_avg_price)} on average`;
  // `to_win_usdc` of a `fresh` alert is that of its order alone.
  return `${position}, the last ${dollars(usdc_value)}, to win ${dollars(position_shares - market_total_bought)}`;
}

/**
 * `✅ won $23,489` or `❌ lost $3,203`: what the shares named by `describeTrade` earned if held to the end, before fees. Null until the
 * market is settled.
 */
export function describeResult(alert: Settled): string | null {
  const { alert_type, side, profit_usdc, details } = alert;
  if (profit_usdc === null) return null;
  const isOrderAlone = side === 'SELL' || (alert_type !== 'cluster' && details.market_buy_count <= 1);
  const profit = (isOrderAlone ? null : details.position_profit_usdc) ?? profit_usdc;
  return `${profit > 0 ? '✅ won' : '❌ lost'} ${dollars(Math.abs(profit))}`;
}

/** `$12,340`; below one dollar to the cent. */
function dollars(usdc: number): string {
  const amount = Math.round(usdc * 100) / 100;
  if (amount === 0) return '$0';
  return `$${amount < 1 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en-US')}`;
}

/** `94.5¢`; more digits only where rounding would give 0¢ or 100¢. */
function cents(price: number): string {
  const isEdge = (inCents: number) => inCents <= 0 || inCents >= 100;
  const exact = price * 100;
  const said = [1, 2, 3, 4].map((decimals) => Number(exact.toFixed(decimals)));
  return `${said.find((inCents) => isEdge(inCents) === isEdge(exact)) ?? exact}¢`;
}
