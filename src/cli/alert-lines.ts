import type { Alert } from '../core/alerts/alert.ts';
import { counted, scoreBar, shortWallet, signedDollars } from '../core/alerts/alert-words.ts';
import { describeResult, describeTrade } from '../core/alerts/describe-alert.ts';
import { resolutionOf } from '../core/alerts/resolution.ts';
import type { MarketResolution } from '../core/alerts/resolution-store.ts';
import type { Terminal } from './terminal.ts';

const SCORE_STYLES = [
  [80, 'red'],
  [60, 'yellow'],
  [40, 'cyan'],
  [0, 'gray'],
] as const;

/** Indent of the lines below an alert's first: little, so that a trade fits into 80 columns. */
export const HANG = 2;
/** What the lines of an alert hold. */
export const LEGEND =
  'UTC time, score of 100, type, number and wallet; the market; the trade; the parts of the score';

/**
 * An alert as a person reads it: when, how strong and which; the market; what was bought; why it stands out; the result
 * once there is one. `before` is the alert with the id before this one, null where it is not known.
 */
export function alertLines(
  alert: Alert,
  before: Alert | null,
  { style }: Pick<Terminal, 'style'>,
): readonly string[] {
  const score = String(alert.score).padStart(3);
  const bar = scoreBar(alert.score);
  const colour = SCORE_STYLES.find(([from]) => alert.score >= from)?.[1] ?? 'gray';
  const reasons = alert.details.reasons.map(({ note, points }) => `${note} (${points})`).join(' · ');
  const identity = style('gray', `#${alert.id} ${shortWallet(alert.wallet)}${relations(alert, before)}`);
  const result = describeResult(alert);
  const below = [
    alert.eventTitle,
    describeTrade(alert),
    style('gray', reasons),
    ...(result === null ? [] : [result]),
  ];
  return [
    `${clockTime(alert.createdAt)} ${style(colour, `${score} ${bar}`)} ${style('bold', alert.type.padEnd(17))} ${identity}`,
    ...below.map((text) => `${' '.repeat(HANG)}${text}`),
  ];
}

/** The earlier alert of the thread, and for a cluster the alert of the order that started it. */
function relations(alert: Alert, before: Alert | null): string {
  const more = alert.supersedes === null ? '' : ` · more of #${alert.supersedes}`;
  const isOfSameOrder =
    alert.type === 'cluster' &&
    before?.id === alert.id - 1 &&
    before.wallet === alert.wallet &&
    before.marketId === alert.marketId &&
    before.tradedAt === alert.tradedAt;
  return isOfSameOrder ? `${more} · includes #${before.id}` : more;
}

/** What became of a market's alerts when it was settled. Null when there were none. */
export function resultLine(
  alerts: readonly Alert[],
  resolution: MarketResolution,
  at: number,
  { style }: Pick<Terminal, 'style'>,
): string | null {
  const [first] = alerts;
  if (first === undefined) return null;
  const results = alerts.map((alert) => resolutionOf(alert, resolution)).filter((result) => result !== null);
  const won = results.filter((result) => result.won).length;
  const profit = results.reduce((sum, { profitUsdc }) => sum + profitUsdc, 0);
  const winner = resolution.outcomes[resolution.payouts.indexOf(1)];
  const outcome = winner === undefined ? 'was split in the middle' : `went to ${winner}`;
  const count = `${counted(results.length, 'alert')}, ${won} right`;
  const sum = style(profit < 0 ? 'red' : 'green', signedDollars(profit));
  return `${clockTime(at)}  ${style('bold', 'RESULT')}  ${first.eventTitle} ${outcome}: ${count}. Sum of the orders: ${sum} before fees`;
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(5, 19).replace('T', ' ');
}
