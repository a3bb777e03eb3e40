import type { EpochMs } from '../../base/time/duration.ts';
import type { Candidate } from '../../detection/candidate.ts';
import { isJsonObject } from '../log/log-entry.ts';
import type { LoggedAlert } from './log-contents.ts';

/** What was compared of an alert, the same of a candidate and of an entry. */
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
  /** Found on the recording, and not in the log. */
  readonly missing: readonly TapeAlert[];
  /** In the log, and not found on the recording. */
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
