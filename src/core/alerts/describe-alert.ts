import { cents, counted, dollars, oneLine } from '../base/text/formats.ts';
import type { AlertDetails } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';
import {
  type BetAlert,
  type BetExit,
  betOf,
  heldShareOf,
  isOrderAlone,
  isRight,
  type StakeAlert,
  stakeOf,
} from './bet.ts';
import type { Exit } from './exits/exit.ts';
import { exitBrief, percentOut } from './exits/exit-words.ts';
import type { Settlement } from './settlement.ts';

/** The fields of an alert that its description uses. */
export type DescribedAlert = StakeAlert &
  Pick<Alert, 'outcome'> & { readonly details: Pick<AlertDetails, 'role' | 'wallets'> };

/**
 * The bet in words, for all human-readable texts: what was put in, the number of buys, their mean price, and what it would win,
 * before fees:
 *
 * - one order: `$3,000 on Yes at 30¢ to win $7,000`, of a maker `… with a resting order`
 * - several: `$3,203 on Yes in 6 buys at 12¢ on average, the last $50, to win $23,489`
 * - a cluster: `3 wallets, $24,078 on Yes at 67¢ to win $11,859`
 * - a sale: `sold Yes at 30¢ for $3,000`
 *
 * examples/alert-words.ts says the same from an alert's JSON.
 */
export function describeTrade(alert: DescribedAlert): string {
  const { type, usdc, outcome, details } = alert;
  if (isOrderAlone(alert))
    return `${describeStake(alert)}${details.role === 'maker' ? ' with a resting order' : ''}`;
  if (type === 'cluster') return describeStake(alert);
  const { putInUsdc, meanPrice, toWinUsdc } = stakeOf(alert);
  const bought = `${dollars(putInUsdc)} on ${oneLine(outcome)} in ${details.marketBuyCount} buys at ${cents(meanPrice)} on average`;
  return `${bought}, the last ${dollars(usdc)}, to win ${dollars(toWinUsdc)}`;
}

/**
 * The same as short as it can be, for the first line of a notification: `$3,203 on Yes at 12¢ to win $23,489`, without the
 * number of buys, the last one, and whether the order was resting.
 */
export function describeStake(alert: DescribedAlert): string {
  const { putInUsdc, meanPrice, toWinUsdc } = stakeOf(alert);
  const outcome = oneLine(alert.outcome);
  if (alert.side === 'SELL') return `sold ${outcome} at ${cents(meanPrice)} for ${dollars(putInUsdc)}`;
  const by = alert.type === 'cluster' ? `${(alert.details.wallets ?? []).length} wallets, ` : '';
  return `${by}${dollars(putInUsdc)} on ${outcome} at ${cents(meanPrice)} to win ${dollars(toWinUsdc)}`;
}

/**
 * What became of a settled bet, as `courseWords`, with a sign before it: `✅ won $23,489`. `exit`: the last exit of its thread,
 * null without one. Null while its market is not settled.
 */
export function describeResult(alert: BetAlert, exit: Exit | null): string | null {
  const sign = resultSign(alert);
  return sign && `${sign} ${courseWords(alert, exit)}`;
}

/** Whether the outcome of the bet happened, whatever was sold; null while the market is not settled. */
export function resultSign(alert: BetAlert): '✅' | '❌' | null {
  const word = resultWord(alert);
  if (word === 'open') return null;
  return word === 'right' ? '✅' : '❌';
}

/** The same in a word. */
export function resultWord(alert: BetAlert): 'open' | 'right' | 'wrong' {
  const isWon = isRight(alert);
  if (isWon === null) return 'open';
  return isWon ? 'right' : 'wrong';
}

/**
 * What was held at the settlement, before fees. `exit`: the last exit of the thread, null without one. Null while the market
 * is not settled.
 *
 * - all of the bet: `won $23,489`, `lost $3,203`
 * - a part: `won $1,320 on the 24% held`, the rest of what the exit says
 * - nothing: `right, nothing was held`, `wrong, nothing was held`
 * - where trades may have been missed: `won $23,489 if held`
 */
export function resultWords(alert: BetAlert, exit: BetExit | null): string | null {
  const { resultUsdc } = betOf(alert, exit);
  if (resultUsdc === null) return null;
  const held = heldShareOf(alert, exit);
  if (held === 0) return `${resultWord(alert)}, nothing was held`;
  const words = `${resultUsdc > 0 ? 'won' : 'lost'} ${dollars(Math.abs(resultUsdc))}`;
  if (held === null) return `${words} if held`;
  const whole = 100 - percentOut(held);
  return whole === 100 ? words : `${words} on the ${whole}% held`;
}

/** What was sold and how the rest ended, in one line: `sold 76% at 71¢; won $1,320 on the 24% held`. Null where there is neither. */
export function courseWords(alert: BetAlert, exit: Exit | null): string | null {
  const words = [exit && exitBrief(exit), resultWords(alert, exit)].filter((part) => part !== null);
  return words.length === 0 ? null : words.join('; ');
}

/** How a settled bet is coloured; null while it is open, and if nothing of it was held: that is neither a win nor a loss. */
export function resultTone(alert: BetAlert, exit: BetExit | null): 'right' | 'wrong' | null {
  const word = resultWord(alert);
  return word === 'open' || heldShareOf(alert, exit) === 0 ? null : word;
}

/** `3 bets, $12,000 put in`. */
export function sumWords(bets: number, putInUsdc: number): string {
  return `${counted(bets, 'bet')}, ${dollars(putInUsdc)} put in`;
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
