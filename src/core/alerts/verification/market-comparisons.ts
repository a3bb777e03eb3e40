import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { Candidate } from '../../detection/candidate.ts';
import { isJsonObject } from '../log/log-entry.ts';
import type { LogContents, LoggedAlert, LogMismatch } from './log-contents.ts';

/** The compared fields, the same for a candidate and an entry. */
export interface TapeAlert {
  readonly type: string;
  readonly wallet: string;
  readonly marketId: string;
  readonly outcome: string;
  readonly side: string;
  readonly tradedAt: EpochMs;
  readonly usdc: number;
  readonly price: number;
  readonly score: number;
}

/** How the log compares with what the detector finds on a recording. */
export interface TapeComparison {
  /** Found on the recording, and in the log with the same figures. */
  readonly equal: number;
  readonly missing: readonly TapeAlert[];
  readonly surplus: readonly (TapeAlert & { readonly id: number })[];
  /** In both, with another amount, price or score. */
  readonly differing: readonly {
    readonly logged: TapeAlert & { readonly id: number };
    readonly found: TapeAlert;
  }[];
}

/**
 * Compares the alerts of the log that were traded in a span (its end included) with the candidates of a recording of it. They
 * are paired by wallet, market, outcome, side, second and type; clusters without the wallet, since which fill completes one
 * may depend on their order.
 */
export function compareTape(
  candidates: readonly Candidate[],
  logged: Iterable<LoggedAlert>,
  { from, until }: { readonly from: EpochMs; readonly until: EpochMs },
): TapeComparison {
  const left = Map.groupBy(
    [...logged].map(loggedAlert).filter(({ tradedAt }) => tradedAt >= from && tradedAt <= until),
    pairKey,
  );
  const missing: TapeAlert[] = [];
  const differing: TapeComparison['differing'][number][] = [];
  let equal = 0;
  for (const candidate of candidates) {
    const found = candidateAlert(candidate);
    const pair = left.get(pairKey(found))?.shift();
    if (pair === undefined) missing.push(found);
    else if (pair.usdc === found.usdc && pair.price === found.price && pair.score === found.score) equal += 1;
    else differing.push({ logged: pair, found });
  }
  return { equal, missing, surplus: [...left.values()].flat(), differing };
}

function pairKey({ type, wallet, marketId, outcome, side, tradedAt }: TapeAlert): string {
  const second = Math.floor(tradedAt / 1_000);
  return [type, type === 'cluster' ? '' : wallet, marketId, outcome, side, second].join('\n');
}

function candidateAlert(candidate: Candidate): TapeAlert {
  const { type, wallet, marketId, outcome, side, tradedAt, usdc, entryPrice, score } = candidate;
  return { type, wallet, marketId, outcome, side, tradedAt, usdc, price: entryPrice, score };
}

function loggedAlert({ id, marketId, body }: LoggedAlert): TapeAlert & { readonly id: number } {
  const details = body['details'];
  const tradedAt = isJsonObject(details) ? details['traded_at'] : null;
  const [text, number] = [(name: string) => String(body[name]), (name: string) => Number(body[name])];
  return {
    ...{ id, marketId, type: text('alert_type'), wallet: text('wallet_address'), outcome: text('outcome') },
    ...{ side: text('side'), tradedAt: Date.parse(String(tradedAt)), usdc: number('usdc_value') },
    ...{ price: number('entry_price'), score: number('signal_score') },
  };
}

/** How far the log may be behind the market. */
const GRACE_MS = DAY_MS;

/** What the market itself says about one of its markets. */
export interface MarketStatement {
  readonly marketId: string;
  readonly status: string;
  /** USDC a share, by outcome; null while it is not resolved. */
  readonly payouts: readonly number[] | null;
  readonly resolvedAt: EpochMs | null;
}

/** How the log's outcomes compare with the market's. */
export interface ResolutionComparison {
  readonly equal: number;
  /** Outcomes in the log that the statements do not mention. */
  readonly unstated: number;
  /** Markets with alerts in the log that were resolved less than a day before the log's end, and have no outcome there yet. */
  readonly notYet: number;
  readonly findings: readonly LogMismatch[];
}

/** Compares the last outcome of each market in the log with what the market says; the last statement about a market counts. */
export function compareResolutions(
  contents: Pick<LogContents, 'alerts' | 'settlements' | 'settlementOf'>,
  statements: readonly MarketStatement[],
  logEnd: EpochMs,
): ResolutionComparison {
  const stated = new Map(statements.map((statement) => [statement.marketId, statement]));
  const alerted = new Set([...contents.alerts.values()].map(({ marketId }) => marketId));
  const findings: LogMismatch[] = [];
  let [equal, notYet] = [0, 0];
  for (const statement of stated.values()) {
    const { marketId, payouts, resolvedAt } = statement;
    const logged = contents.settlementOf(marketId);
    if (logged === undefined) {
      if (payouts === null || !alerted.has(marketId)) continue;
      if (resolvedAt !== null && resolvedAt > logEnd - GRACE_MS) notYet += 1;
      else findings.push(finding(null, statement, 'no outcome'));
    } else if (String(logged.payouts) === String(payouts)) equal += 1;
    else findings.push(finding(logged.sequence, statement, `payouts ${logged.payouts.join(', ')}`));
  }
  const unstated = [...contents.settlements.keys()].filter((marketId) => !stated.has(marketId)).length;
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
