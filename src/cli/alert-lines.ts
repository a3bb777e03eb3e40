import type { Alert } from '../core/alert.ts';
import { scoreBar, shortWallet, signedDollars } from '../core/alert-words.ts';
import { describeTrade } from '../core/describe-alert.ts';
import type { MarketResolution } from '../core/ports/resolution-store.ts';
import { resolutionOf } from '../core/resolution.ts';
import type { Terminal } from './terminal.ts';

const SCORE_STYLES = [
  [80, 'red'],
  [60, 'yellow'],
  [40, 'cyan'],
  [0, 'gray'],
] as const;

/** An alert as a person reads it: when, how strong, what was bought, and why it stands out. */
export function alertLines(alert: Alert, { style }: Terminal): readonly string[] {
  const score = String(alert.score).padStart(3);
  const bar = scoreBar(alert.score);
  const colour = SCORE_STYLES.find(([from]) => alert.score >= from)?.[1] ?? 'gray';
  const reasons = alert.details.reasons.map(({ note, points }) => `${note} (${points})`).join(' · ');
  return [
    `${clockTime(alert.createdAt)}  ${style(colour, `${score} ${bar}`)}  ${style('bold', alert.type.padEnd(17))}  ${describeTrade(alert)}`,
    `                ${alert.eventTitle}  ${style('gray', `#${alert.id} ${shortWallet(alert.wallet)}`)}`,
    `                ${style('gray', reasons)}`,
  ];
}

/** What became of a market's alerts when it was settled. Null when there were none. */
export function resultLine(
  alerts: readonly Alert[],
  resolution: MarketResolution,
  at: number,
  { style }: Terminal,
): string | null {
  const [first] = alerts;
  if (first === undefined) return null;
  const results = alerts.map((alert) => resolutionOf(alert, resolution)).filter((result) => result !== null);
  const won = results.filter((result) => result.won).length;
  const profit = results.reduce((sum, { profitUsdc }) => sum + profitUsdc, 0);
  const winner = resolution.outcomes[resolution.payouts.indexOf(1)];
  const outcome = winner === undefined ? 'was split in the middle' : `went to ${winner}`;
  const count = `${results.length} ${results.length === 1 ? 'alert' : 'alerts'}, ${won} right`;
  const sum = style(profit < 0 ? 'red' : 'green', signedDollars(profit));
  return `${clockTime(at)}  ${style('bold', 'RESULT')}  ${first.eventTitle} ${outcome}: ${count}. Sum of the orders: ${sum} before fees`;
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(5, 19).replace('T', ' ');
}
