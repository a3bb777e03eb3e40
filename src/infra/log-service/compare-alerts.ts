import type { LogMismatch, SettlementEntry } from '../../core/alerts/verification/log-contents.ts';
import { repeatUntil } from '../../core/base/async/repeat.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';
import { type ComparedAlert, type Comparison, compareAlert } from './compare-alert.ts';
import type { ServiceClient } from './service-client.ts';

/** Upper bound of the free delay. */
export const LONGEST_DELAY_MS = DAY_MS;

/** The alerts to compare, and what is known of them. */
export interface ComparisonInput {
  readonly client: Pick<ServiceClient, 'json'>;
  readonly clock: Clock;
  readonly alerts: readonly ComparedAlert[];
  /** The last outcome of a market, as `compareAlert` takes it. */
  outcomeOf(marketId: string): SettlementEntry | null | undefined;
  /** Since when the outcomes of a market have differed, according to an earlier run. */
  differsSince(marketId: string): EpochMs | null;
  /** Whether the key sees the log at the free delay: the API shows outcomes earlier than that. */
  readonly isDelayed: boolean;
  /** Reads new entries of the log and returns the first mismatch. */
  readMore(): Promise<LogMismatch | null>;
  onProgress(done: number): void;
}

/** Result of a comparison. */
export class ComparisonResult {
  /** Ids of the alerts that were compared. */
  readonly ids = new Set<number>();
  /** Of those, alerts whose outcome was compared as well. */
  outcomes = 0;
  /** Alerts of markets without an outcome in both the log and the API. */
  readonly open: ComparedAlert[] = [];
  /** Alerts whose outcome cannot be compared: it is in entries that were not read. */
  readonly unknown: ComparedAlert[] = [];
  /** Alerts whose outcome differs, and may do so because of entries that the key does not see yet. */
  readonly notYet: ComparedAlert[] = [];
  readonly #findings: LogMismatch[] = [];

  get compared(): number {
    return this.ids.size;
  }

  /** The mismatch with the lowest sequence number. */
  get finding(): LogMismatch | null {
    const place = ({ sequence }: LogMismatch) => sequence ?? Number.POSITIVE_INFINITY;
    return this.#findings.toSorted((a, b) => place(a) - place(b))[0] ?? null;
  }

  add(alert: ComparedAlert, outcome: 'compared' | 'open' | 'unknown'): void {
    if (outcome === 'compared') this.outcomes += 1;
    else this[outcome].push(alert);
  }

  fail(...findings: readonly LogMismatch[]): void {
    this.#findings.push(...findings);
  }
}

/** Compares alerts with the API's answers, one by one, up to the first alert whose own fields differ. */
export async function compareAlerts(input: ComparisonInput): Promise<ComparisonResult> {
  const result = new ComparisonResult();
  const suspects: Suspect[] = [];
  for (const alert of input.alerts) {
    const comparison = await compareKnown(input, alert);
    result.ids.add(alert.id);
    input.onProgress(result.compared);
    if (comparison.result === 'equal') result.add(alert, comparison.outcome);
    else if (comparison.of === 'outcome') suspects.push({ alert, finding: comparison.finding });
    else {
      result.fail(comparison.finding);
      break;
    }
  }
  if (input.isDelayed) judgeDelayed(input, suspects, result);
  else await judgeAgain(input, suspects, result);
  return result;
}

/** The clocks of a service's hosts differ: an alert that the log shows at the free delay may be too recent for another host. */
function compareKnown(
  { client, clock, outcomeOf }: ComparisonInput,
  alert: ComparedAlert,
): Promise<Comparison> {
  const compare = () => compareAlert(client, alert, outcomeOf(alert.marketId));
  return untilVisible(clock, compare, (found) => found.result === 'equal' || found.of !== 'missing');
}

interface Suspect {
  readonly alert: ComparedAlert;
  readonly finding: LogMismatch;
}

/** An outcome may have come after the log was read; with a real-time key its entry is visible soon. */
async function judgeAgain(input: ComparisonInput, suspects: readonly Suspect[], result: ComparisonResult) {
  if (suspects.length === 0) return;
  let left = suspects;
  const readAndCompare = async () => {
    const broken = await input.readMore();
    if (broken === null) left = await compareAgain(input, left, result);
    return broken;
  };
  const isOver = (broken: LogMismatch | null) => broken !== null || left.length === 0;
  const broken = await untilVisible(input.clock, readAndCompare, isOver);
  result.fail(...(broken === null ? left.map(({ finding }) => finding) : [broken]));
}

/** The suspects that still differ. */
async function compareAgain(
  { client, outcomeOf }: ComparisonInput,
  suspects: readonly Suspect[],
  result: ComparisonResult,
): Promise<readonly Suspect[]> {
  const left: Suspect[] = [];
  for (const { alert } of suspects) {
    const comparison = await compareAlert(client, alert, outcomeOf(alert.marketId));
    if (comparison.result === 'equal') result.add(alert, comparison.outcome);
    else left.push({ alert, finding: comparison.finding });
  }
  return left;
}

/** At the free delay the log shows an outcome later than the API; a difference older than a day is a mismatch. */
function judgeDelayed(
  { clock, differsSince }: ComparisonInput,
  suspects: readonly Suspect[],
  result: ComparisonResult,
): void {
  for (const { alert, finding } of suspects) {
    const since = differsSince(alert.marketId);
    if (since !== null && clock.now() - since > LONGEST_DELAY_MS) result.fail(finding);
    else result.notYet.push(alert);
  }
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
