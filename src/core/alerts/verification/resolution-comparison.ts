import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { LogContents, LogMismatch } from './log-contents.ts';

/** How much later than the market the log may be. */
const GRACE_MS = DAY_MS;

/** What the market itself says of one of its own. */
export interface MarketStatement {
  readonly marketId: string;
  readonly status: string;
  /** USDC a share, by outcome; null while it is not resolved. */
  readonly payouts: readonly number[] | null;
  readonly resolvedAt: EpochMs | null;
}

/** How the log's outcomes compare with the market's. */
export interface ResolutionComparison {
  /** Outcomes of the log that are the market's. */
  readonly equal: number;
  /** Outcomes of the log that the statements do not speak of. */
  readonly unstated: number;
  /** Markets with alerts in the log that were resolved less than a day before the log's end, and have no outcome there yet. */
  readonly notYet: number;
  readonly findings: readonly LogMismatch[];
}

/** Compares the last outcome of each market in the log with what the market says; of several statements the last counts. */
export function compareResolutions(
  contents: Pick<LogContents, 'alerts' | 'outcomes'>,
  statements: readonly MarketStatement[],
  logEnd: EpochMs,
): ResolutionComparison {
  const stated = new Map(statements.map((statement) => [statement.marketId, statement]));
  const alerted = new Set([...contents.alerts.values()].map(({ marketId }) => marketId));
  const findings: LogMismatch[] = [];
  let [equal, notYet] = [0, 0];
  for (const statement of stated.values()) {
    const { marketId, payouts, resolvedAt } = statement;
    const logged = contents.outcomes.get(marketId);
    if (logged === undefined) {
      if (payouts === null || !alerted.has(marketId)) continue;
      if (resolvedAt !== null && resolvedAt > logEnd - GRACE_MS) notYet += 1;
      else findings.push(finding(null, statement, 'no outcome'));
    } else if (String(logged.payouts) === String(payouts)) equal += 1;
    else findings.push(finding(logged.sequence, statement, `payouts ${logged.payouts.join(', ')}`));
  }
  const unstated = [...contents.outcomes.keys()].filter((marketId) => !stated.has(marketId)).length;
  return { equal, unstated, notYet, findings };
}

function finding(
  sequence: number | null,
  { marketId, status, payouts }: MarketStatement,
  found: string,
): LogMismatch {
  const expected =
    payouts === null ? `no outcome: the market says ${status}` : `payouts ${payouts.join(', ')}`;
  return { sequence, what: `the log's outcome of market ${marketId} is not the market's`, expected, found };
}
