import type { Alert, Resolution } from './alert.ts';
import { outcomeNamed } from './outcome-named.ts';
import type { Market } from './trade.ts';

/** What a settled market paid, by outcome. */
export type Settlement = Pick<Market, 'outcomes'> & { readonly payouts: readonly number[] };

/**
 * What became of an alert when its market paid out. A BUY is right when its outcome pays 1, a SELL when it pays 0;
 * in a market split in the middle (payout 0.5) whoever made money was right. Profit is in USDC, before fees, to the
 * cent. Null when the market does not tell what the alert's outcome paid.
 */
export function resolutionOf(
  alert: Pick<Alert, 'side' | 'shares' | 'entryPrice' | 'outcome' | 'outcomeIndex'>,
  { outcomes, payouts }: Settlement,
): Resolution | null {
  const byName = outcomeNamed(outcomes, alert.outcome);
  const payout = payouts[byName < 0 ? alert.outcomeIndex : byName];
  if (payout === undefined) return null;
  const perShare = alert.side === 'BUY' ? payout - alert.entryPrice : alert.entryPrice - payout;
  const profitUsdc = Math.round(alert.shares * perShare * 100) / 100;
  const isSplit = payout !== 0 && payout !== 1;
  const won = isSplit ? profitUsdc > 0 : payout === (alert.side === 'BUY' ? 1 : 0);
  return { payout, won, profitUsdc };
}
