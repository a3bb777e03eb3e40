import type { EpochMs } from '../trade.ts';
import type { Evidence } from './evidence.ts';
import type { LogContents } from './log-contents.ts';
import type { LogMismatch } from './log-mismatch.ts';
import { outcomeDifference } from './outcome-difference.ts';

/**
 * The error in the result of a received alert. The result must follow from one of the market's outcomes in the log, even one
 * corrected since. Also null if this cannot be decided: the market's first outcome was not read, or the result may be newer
 * than the end of the log. `visibleSince`: what was published before this moment is in the log.
 */
export function receivedResultFinding(
  { alert: received, name, sequence, receivedBefore }: Evidence,
  contents: Pick<LogContents, 'alerts' | 'settlementsOf'>,
  { isWhole, visibleSince }: { readonly isWhole: boolean; readonly visibleSince: EpochMs },
): LogMismatch | null {
  const id = received?.['id'];
  const alert = typeof id === 'number' ? contents.alerts.get(id) : undefined;
  if (received === null || alert === undefined || received['resolved'] !== true) return null;
  if ((receivedBefore ?? Number.POSITIVE_INFINITY) > visibleSince) return null;
  const { settlements, isFirstRead } = contents.settlementsOf(alert.marketId);
  if (!isWhole && !isFirstRead) return null;
  const differences = settlements.map((settlement) => outcomeDifference(alert.body, settlement, received));
  if (differences.some((difference) => difference === null || difference === 'unknown')) return null;
  const last = differences.at(-1);
  if (last === undefined || last === null || last === 'unknown') {
    const what = `${name} states a result, and its market has no outcome in the log`;
    return { sequence, what, expected: `an outcome of market ${alert.marketId}`, found: 'none' };
  }
  return {
    sequence: settlements.at(-1)?.sequence ?? sequence,
    what: `${last.field} of ${name} follows from no outcome that its market has in the log`,
    expected: last.found,
    found: last.expected,
  };
}
