import { isJsonObject, type Json, type JsonObject } from '../../core/alerts/log/log-entry.ts';
import {
  type Difference,
  firstDifference,
  settlementDifference,
  unlike,
} from '../../core/alerts/verification/differences.ts';
import type {
  LoggedAlert,
  LogMismatch,
  SettlementEntry,
} from '../../core/alerts/verification/log-contents.ts';
import { repeatUntil } from '../../core/base/async/repeat.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';
import { type ServiceClient, ServiceFault } from './service-client.ts';

/** Upper bound of the free delay. */
export const LONGEST_DELAY_MS = DAY_MS;

/** An alert to be compared with what the API answers. */
export interface ComparedAlert {
  readonly id: number;
  readonly marketId: string;
  /** Null when an earlier run read it, and only its market's settlement is new. */
  readonly entry: LoggedAlert | null;
}

export interface ComparisonInput {
  readonly client: Pick<ServiceClient, 'json'>;
  readonly clock: Clock;
  readonly alerts: readonly ComparedAlert[];
  /** The last settlement of a market in the log; null: the log has none; undefined: what was read of it does not tell. */
  settlementOf(marketId: string): SettlementEntry | null | undefined;
  /** Since when the results of a market have differed, according to an earlier run. */
  differsSince(marketId: string): EpochMs | null;
  /** Whether the key sees the log at the free delay: the API shows settlements earlier than that. */
  readonly isDelayed: boolean;
  readMore(): Promise<LogMismatch | null>;
  onProgress(done: number): void;
}

/**
 * Whether the result of an alert was compared. `open`: its market is settled neither in the log nor in the API; `unknown`: what
 * was read of the log does not tell its settlement.
 */
type ComparedResult = 'compared' | 'open' | 'unknown';

/** A difference in the result may be due to a settlement that the reader does not see yet; any other is final. */
type Comparison =
  | { readonly result: ComparedResult }
  | { readonly result: 'missing' | 'alert_differs' | 'result_differs'; readonly finding: LogMismatch };

interface Suspect {
  readonly alert: ComparedAlert;
  readonly finding: LogMismatch;
}

export class ComparisonResult {
  readonly ids = new Set<number>();
  /** Of those, alerts whose result was compared as well. */
  results = 0;
  readonly open: ComparedAlert[] = [];
  readonly unknown: ComparedAlert[] = [];
  /** Alerts whose result differs, and may do so because of entries that the key does not see yet. */
  readonly notYet: ComparedAlert[] = [];
  readonly findings: LogMismatch[] = [];

  /** The mismatch with the lowest sequence number. */
  get finding(): LogMismatch | null {
    const place = ({ sequence }: LogMismatch) => sequence ?? Number.POSITIVE_INFINITY;
    return this.findings.toSorted((a, b) => place(a) - place(b))[0] ?? null;
  }

  add(alert: ComparedAlert, result: ComparedResult): void {
    if (result === 'compared') this.results += 1;
    else this[result].push(alert);
  }
}

/** Compares alerts with the API's answers, one by one, up to the first alert whose own fields differ. */
export async function compareAlerts(input: ComparisonInput): Promise<ComparisonResult> {
  const result = new ComparisonResult();
  const suspects: Suspect[] = [];
  for (const alert of input.alerts) {
    // The clocks of a service's hosts differ: an alert that the log shows may be too recent for another host.
    const compare = () => compareAlert(input, alert);
    const comparison = await untilVisible(input.clock, compare, (found) => found.result !== 'missing');
    result.ids.add(alert.id);
    input.onProgress(result.ids.size);
    if (!('finding' in comparison)) result.add(alert, comparison.result);
    else if (comparison.result === 'result_differs') suspects.push({ alert, finding: comparison.finding });
    else {
      result.findings.push(comparison.finding);
      break;
    }
  }
  if (input.isDelayed) judgeDelayed(input, suspects, result);
  else if (suspects.length > 0) await judgeAgain(input, suspects, result);
  return result;
}

/** At the free delay the log shows a settlement later than the API; a difference older than a day is a mismatch. */
function judgeDelayed(
  { clock, differsSince }: ComparisonInput,
  suspects: readonly Suspect[],
  result: ComparisonResult,
): void {
  for (const { alert, finding } of suspects) {
    const since = differsSince(alert.marketId);
    if (since !== null && clock.now() - since > LONGEST_DELAY_MS) result.findings.push(finding);
    else result.notYet.push(alert);
  }
}

/** A settlement may have come after the log was read; with a real-time key its entry is visible soon. */
async function judgeAgain(input: ComparisonInput, suspects: readonly Suspect[], result: ComparisonResult) {
  let left = suspects;
  const readAndCompare = async () => {
    const broken = await input.readMore();
    if (broken !== null) return broken;
    const still: Suspect[] = [];
    for (const { alert } of left) {
      const comparison = await compareAlert(input, alert);
      if ('finding' in comparison) still.push({ alert, finding: comparison.finding });
      else result.add(alert, comparison.result);
    }
    left = still;
    return null;
  };
  const isOver = (broken: LogMismatch | null) => broken !== null || left.length === 0;
  const broken = await untilVisible(input.clock, readAndCompare, isOver);
  result.findings.push(...(broken === null ? left.map(({ finding }) => finding) : [broken]));
}

async function compareAlert(
  { client, settlementOf }: ComparisonInput,
  { id, marketId, entry }: ComparedAlert,
): Promise<Comparison> {
  const sequence = entry?.sequence ?? null;
  const answer = (await client.json(`/api/v1/alerts/${id}`)) as Json;
  if (answer === null) {
    const what = `the API does not know alert ${id}`;
    const finding = { sequence, what, expected: `alert ${id}`, found: 'an answer with status 404' };
    return { result: 'missing', finding };
  }
  if (!isJsonObject(answer)) throw new ServiceFault(`/api/v1/alerts/${id}: the answer is not an alert`);
  const difference = entry === null ? null : entryDifference(entry, answer);
  if (difference !== null) {
    const { field, ...values } = difference;
    const what = `${field} of alert ${id} is not what the API answers`;
    return { result: 'alert_differs', finding: { sequence, what, ...values } };
  }
  const settlement = settlementOf(marketId);
  if (settlement === undefined) return { result: answer['resolved'] === false ? 'open' : 'unknown' };
  const differing = settlementDifference(entry?.body ?? answer, settlement, answer);
  if (differing === 'unknown') return { result: 'unknown' };
  if (differing === null) return { result: settlement === null ? 'open' : 'compared' };
  const { field, ...values } = differing;
  const source =
    settlement === null ? 'its market has no outcome in the log' : `of the payouts ${settlement.payouts}`;
  const what = `${field} of alert ${id} in the API does not follow from the log (${source})`;
  return {
    result: 'result_differs',
    finding: { sequence: settlement?.sequence ?? sequence, what, ...values },
  };
}

function entryDifference({ body, sequence, hash }: LoggedAlert, answer: JsonObject): Difference | null {
  const { log } = answer;
  const difference = firstDifference(body, answer, { isWhole: true });
  // Alerts from before the log began have no mark.
  if (difference !== null || !isJsonObject(log)) return difference;
  return unlike('log', { sequence, hash }, { sequence: log['sequence'] ?? null, hash: log['hash'] ?? null });
}

const ATTEMPTS = 3;
const INTERVAL_MS = 2 * SECOND_MS;

/** Asks up to three times, 2 s apart, until the answer is as expected: the service may show an entry late. The last answer. */
export async function untilVisible<Answer>(
  clock: Pick<Clock, 'sleep'>,
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
  const answers: Answer[] = [];
  const attempt = async () => {
    const answer = await ask();
    return answers.push(answer) === ATTEMPTS || isExpected(answer);
  };
  await repeatUntil(attempt, { clock, intervalMs: INTERVAL_MS });
  return answers.at(-1) as Answer;
}
