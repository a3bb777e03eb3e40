/**
 * Describes what was traded and how it ended, from an alert's JSON. Copy it.
 *
 * `usdc_value` and `entry_price` describe one order. `details.bet` has everything that the wallet or cluster put in, which is what
 * people should read first: an order of $50 can be the last of a bet of $3,203.
 */
import type { Alert } from '../clients/typescript/src/index.ts';

type Traded = Pick<Alert, 'alert_type' | 'side' | 'outcome' | 'usdc_value' | 'details'>;
type Settled = Pick<Alert, 'won' | 'details'>;

/** The names of the types of alerts. */
export const TYPE_NAMES: Readonly<Record<Alert['alert_type'], string>> = {
  fresh: 'New wallet',
  fresh_accumulator: 'New wallet keeps buying',
  cluster: 'Cluster of new wallets',
};

/** `$3,000 on Yes at 30¢ to win $7,000` (for a maker `… with a resting order`), or all that the wallet or cluster put in if it is more than the order. */
export function describeTrade(alert: Traded): string {
  const { alert_type, side, outcome, usdc_value, details } = alert;
  const { put_in_usdc, mean_price, to_win_usdc } = details.bet;
  const resting = details.role === 'maker' ? ' with a resting order' : '';
  if (side === 'SELL') return `sold ${outcome} at ${cents(mean_price)} for ${dollars(put_in_usdc)}${resting}`;
  const [put, price] = [`${dollars(put_in_usdc)} on ${outcome}`, `at ${cents(mean_price)}`];
  const toWin = `to win ${dollars(to_win_usdc)}`;
  if (alert_type === 'cluster') return `${(details.wallets ?? []).length} wallets, ${put} ${price} ${toWin}`;
  if (details.market_buy_count <= 1) return `${put} ${price} ${toWin}${resting}`;
  return `${put} in ${details.market_buy_count} buys ${price} on average, the last ${dollars(usdc_value)}, ${toWin}`;
}

/**
 * `✅ won $23,489`, of what was held at the settlement: `✅ won $1,320 on the 24% held`, `❌ wrong, nothing was held`, or `… if held`
 * where trades may have been missed. Before fees. The sign tells whether the outcome happened. Null until the market is settled.
 */
export function describeResult({ won, details }: Settled): string | null {
  const { bet, position_profit_usdc } = details;
  const { held_share, result_usdc } = bet;
  if (result_usdc === null) return null;
  // A sale has no position.
  const isRight = position_profit_usdc === null ? won : position_profit_usdc > 0;
  const sign = isRight ? '✅' : '❌';
  if (held_share === 0) return `${sign} ${isRight ? 'right' : 'wrong'}, nothing was held`;
  const words = `${sign} ${result_usdc > 0 ? 'won' : 'lost'} ${dollars(Math.abs(result_usdc))}`;
  if (held_share === null) return `${words} if held`;
  const percent = 100 - Math.floor(100 * (1 - held_share) + 1e-9);
  return percent === 100 ? words : `${words} on the ${percent}% held`;
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
