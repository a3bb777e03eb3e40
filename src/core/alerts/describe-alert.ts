import { cents, dollars, oneLine } from '../base/text/formats.ts';
import type { AlertDetails } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';
import { positionProfitOf, type Settlement } from './settlement.ts';

/** The fields of an alert that its description uses. */
export interface DescribedAlert extends Pick<Alert, 'type' | 'side' | 'outcome' | 'entryPrice' | 'usdc'> {
  readonly details: Pick<
    AlertDetails,
    | ('marketBuyCount' | 'marketTotalBought' | 'marketAvgPrice' | 'positionShares' | 'toWinUsdc')
    | ('role' | 'wallets' | 'clusterTotal' | 'clusterAvgPrice')
  >;
}
type SettledAlert = DescribedAlert & Pick<Alert, 'resolution' | 'details'>;

/**
 * The trade in words, for all human-readable texts. It names the whole position (dollars, number of buys, price) if there is more
 * than the order, and what it would win, before fees:
 *
 * - one order: `$3,000 on Yes at 30¢ to win $7,000`, of a maker `… with a resting order`
 * - several: `$3,203 on Yes in 6 buys at 12¢ on average, the last $50, to win $23,489`
 * - a cluster: `3 wallets, $24,078 on Yes at 67¢ to win $11,859`
 * - a sale: `sold Yes at 30¢ for $3,000`
 *
 * examples/alert-words.ts says the same from an alert's JSON.
 */
export function describeTrade(alert: DescribedAlert): string {
  const { type, usdc, details } = alert;
  const stake = describeStake(alert);
  if (isOrderAlone(alert)) return `${stake}${details.role === 'maker' ? ' with a resting order' : ''}`;
  if (type === 'cluster') return stake;
  const { marketTotalBought, marketBuyCount, marketAvgPrice } = details;
  const position = `${dollars(marketTotalBought)} on ${oneLine(alert.outcome)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`;
  return `${position}, the last ${dollars(usdc)}, ${toWin(alert)}`;
}

/**
 * The same as short as it can be, for the first line of a notification: `$3,203 on Yes at 12¢ to win $23,489`, without the
 * number of buys, the last one, and whether the order was resting.
 */
export function describeStake(alert: DescribedAlert): string {
  const { type, side, entryPrice, usdc, details } = alert;
  const outcome = oneLine(alert.outcome);
  if (side === 'SELL') return `sold ${outcome} at ${cents(entryPrice)} for ${dollars(usdc)}`;
  if (isOrderAlone(alert)) return `${dollars(usdc)} on ${outcome} at ${cents(entryPrice)} ${toWin(alert)}`;
  if (type === 'cluster') {
    const { wallets = [], clusterTotal = usdc, clusterAvgPrice = entryPrice } = details;
    return `${wallets.length} wallets, ${dollars(clusterTotal)} on ${outcome} at ${cents(clusterAvgPrice)} ${toWin(alert)}`;
  }
  const { marketTotalBought, marketAvgPrice } = details;
  return `${dollars(marketTotalBought)} on ${outcome} at ${cents(marketAvgPrice)} ${toWin(alert)}`;
}

/** `toWinUsdc` of a `fresh` alert covers only its order. */
function toWin(alert: DescribedAlert): string {
  const { toWinUsdc, positionShares, marketTotalBought } = alert.details;
  const isPosition = alert.type !== 'cluster' && !isOrderAlone(alert);
  return `to win ${dollars(isPosition ? positionShares - marketTotalBought : toWinUsdc)}`;
}

/** What became of an alert, as `resultWords`, with a sign before it: `✅ won $23,489`. Null while its market is not settled. */
export function describeResult(alert: SettledAlert): string | null {
  const words = resultWords(alert);
  return words && `${resultSign(alert)} ${words}`;
}

/** The sign of `resultWords`; null while the market is not settled. */
export function resultSign(alert: SettledAlert): '✅' | '❌' | null {
  const profit = resultUsdc(alert);
  if (profit === null) return null;
  return profit > 0 ? '✅' : '❌';
}

/**
 * `won $23,489` or `lost $3,203`: what `describeTrade` names, the order, the position or the cluster, earned if held to the
 * end, before fees. Null while the market is not settled.
 */
export function resultWords(alert: SettledAlert): string | null {
  const profit = resultUsdc(alert);
  return profit === null ? null : `${profit > 0 ? 'won' : 'lost'} ${dollars(Math.abs(profit))}`;
}

/** What `resultWords` says, in USDC before fees: negative for a loss. Null while the market is not settled. */
export function resultUsdc(alert: SettledAlert): number | null {
  const { resolution } = alert;
  if (resolution === null) return null;
  return (isOrderAlone(alert) ? null : positionProfitOf(alert)) ?? resolution.profitUsdc;
}

function isOrderAlone({ type, side, details }: DescribedAlert): boolean {
  return side === 'SELL' || (type !== 'cluster' && details.marketBuyCount <= 1);
}

/**
 * What a market paid: the outcome that paid everything, or what each paid, such as `Yes 50¢, No 50¢`. Outcomes that it never
 * named are numbered. `shown`: formats a name for the text.
 */
export function paidWords({ outcomes, payouts }: Settlement, shown: (name: string) => string): string {
  const names = payouts.map((_, index) => shown(outcomes[index] ?? '') || `outcome ${index + 1}`);
  const winner = names[payouts.indexOf(1)];
  return winner ?? names.map((name, index) => `${name} ${cents(payouts[index] ?? 0)}`).join(', ');
}
