import { isJsonObject, type Json } from '../../core/alerts/log/log-entry.ts';
import { type Difference, firstDifference, unlike } from '../../core/alerts/verification/differences.ts';
import type {
  LoggedAlert,
  LogMismatch,
  SettlementEntry,
} from '../../core/alerts/verification/log-contents.ts';
import { outcomeDifference } from '../../core/alerts/verification/outcome-difference.ts';
import { type ServiceClient, ServiceFault } from './service-client.ts';

/** An alert to be compared with what the API answers. */
export interface ComparedAlert {
  readonly id: number;
  readonly marketId: string;
  /** Null when an earlier run read it, and only its outcome is new. */
  readonly entry: LoggedAlert | null;
}

/**
 * How an alert compares with the log. `open`: its market is settled neither in the log nor in the API; `unknown`: what was read
 * of the log does not tell what its outcome is.
 */
export type Comparison =
  | { readonly result: 'equal'; readonly outcome: 'compared' | 'open' | 'unknown' }
  /** `missing`: the API does not know the alert. `outcome`: an outcome that the reader does not see yet may be the reason. */
  | {
      readonly result: 'differs';
      readonly of: 'missing' | 'alert' | 'outcome';
      readonly finding: LogMismatch;
    };

/**
 * Compares one alert. `outcome`: the last one of its market in the log; null: the log has none; undefined: what was read of the
 * log does not tell.
 */
export async function compareAlert(
  client: Pick<ServiceClient, 'json'>,
  { id, entry }: ComparedAlert,
  outcome: SettlementEntry | null | undefined,
): Promise<Comparison> {
  const sequence = entry?.sequence ?? null;
  const answer = await client.json(`/api/v1/alerts/${id}`);
  if (answer === null) {
    const what = `the API does not know alert ${id}`;
    return differs('missing', {
      sequence,
      what,
      expected: `alert ${id}`,
      found: 'an answer with status 404',
    });
  }
  if (!isJsonObject(answer as Json))
    throw new ServiceFault(`/api/v1/alerts/${id}: the answer is not an alert`);
  const answered = answer as NonNullable<LoggedAlert['body']>;
  const difference = entry === null ? null : entryDifference(entry, answered);
  if (difference !== null)
    return differs('alert', {
      ...difference,
      sequence,
      what: `${difference.field} of alert ${id} is not what the API answers`,
    });
  if (outcome === undefined)
    return { result: 'equal', outcome: answered['resolved'] === false ? 'open' : 'unknown' };
  const settled = outcomeDifference(entry?.body ?? answered, outcome, answered);
  if (settled === 'unknown') return { result: 'equal', outcome: 'unknown' };
  if (settled === null) return { result: 'equal', outcome: outcome === null ? 'open' : 'compared' };
  const source =
    outcome === null ? 'its market has no outcome in the log' : `of the payouts ${outcome.payouts}`;
  const what = `${settled.field} of alert ${id} in the API does not follow from the log (${source})`;
  return differs('outcome', { ...settled, sequence: outcome?.sequence ?? sequence, what });
}

function entryDifference(entry: LoggedAlert, answer: LoggedAlert['body']): Difference | null {
  const { log } = answer;
  const { sequence, hash } = entry;
  return (
    firstDifference(entry.body, answer, { isWhole: true }) ??
    // Alerts from before the log began have no mark.
    (isJsonObject(log)
      ? unlike('log', { sequence, hash }, { sequence: log['sequence'] ?? null, hash: log['hash'] ?? null })
      : null)
  );
}

function differs(
  of: 'missing' | 'alert' | 'outcome',
  finding: LogMismatch & Partial<Difference>,
): Comparison {
  const { sequence, what, expected, found } = finding;
  return { result: 'differs', of, finding: { sequence, what, expected, found } };
}
