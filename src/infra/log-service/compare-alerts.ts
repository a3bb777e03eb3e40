import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../core/alerts/log/log-entry.ts';
import { firstDifference, settlementDifference } from '../../core/alerts/verification/differences.ts';
import type { LogContents, LoggedAlert, LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { repeatUntil } from '../../core/base/async/repeat.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';
import { answerOf } from './log-pages.ts';
import type { ServiceClient } from './service-client.ts';

export const LONGEST_DELAY_MS = DAY_MS;

export interface ComparisonInput {
  readonly client: Pick<ServiceClient, 'json'>;
  readonly clock: Clock;
  readonly contents: LogContents;
  /** Since when the results of a market have differed, according to earlier runs; now, if they have not. */
  differsSince(marketId: string): EpochMs;
  /** Whether the key sees the log at the free delay: the API shows settlements earlier than that. */
  readonly isDelayed: boolean;
  readMore(): Promise<LogMismatch | null>;
  onProgress(done: number): void;
}

interface Suspect {
  readonly alert: LoggedAlert;
  readonly finding: LogMismatch;
}

export class ComparisonResult {
  compared = 0;
  results = 0;
  exits = 0;
  /** Alerts whose outcome the settlement of their market does not name. */
  unknown = 0;
  /** Alerts whose result differs, and may do so because of entries that the key does not see yet. */
  readonly notYet: LoggedAlert[] = [];
  readonly findings: LogMismatch[] = [];

  get finding(): LogMismatch | null {
    const place = ({ sequence }: LogMismatch) => sequence ?? Number.POSITIVE_INFINITY;
    return this.findings.toSorted((a, b) => place(a) - place(b))[0] ?? null;
  }
}

/** Compares all alerts of the log with the API's answers, up to the first whose own fields differ. */
export async function compareAlerts(input: ComparisonInput): Promise<ComparisonResult> {
  const { client, clock, contents } = input;
  const result = new ComparisonResult();
  const suspects: Suspect[] = [];
  const alerts = [...contents.alerts.values()];
  for (let next = alerts[0]; next !== undefined; next = alerts[result.compared]) {
    const { id } = next;
    // The clocks of a service's hosts differ: an alert that the log shows may be too recent for another host.
    const answers = await untilVisible(clock, () => answersFrom(client, id), isNotEmpty);
    if (answers.length === 0) result.findings.push(missing(next));
    for (const [index, alert] of alerts.slice(id - 1, id - 1 + answers.length).entries()) {
      const finding = compareAlert(contents, alert, answers[index] as JsonObject, result);
      if (finding?.isFinal === true) result.findings.push(finding);
      else if (finding !== null) suspects.push({ alert, finding });
      result.compared += 1;
    }
    if (result.findings.length > 0) break;
    input.onProgress(result.compared);
  }
  if (result.findings.length === 0) await compareExits(input, result);
  if (input.isDelayed) judgeDelayed(input, suspects, result);
  else if (suspects.length > 0) await judgeAgain(input, suspects, result);
  return result;
}

const exitsSchema = z.object({ exits: z.array(z.custom<JsonObject>(isJsonObject)) });

/** Compares all exits of the log with the API's answers, up to the first that differs. */
async function compareExits({ client, clock, contents }: ComparisonInput, result: ComparisonResult) {
  const { exits } = contents;
  for (let next = exits[0]; next !== undefined; next = exits[result.exits]) {
    const path = `/api/v1/exits?after=${next.number - 1}&limit=${PAGE_EXITS}`;
    const read = () => answerOf(client, path, { schema: exitsSchema, what: 'a page of exits' });
    const answers = (await untilVisible(clock, async () => (await read()).exits, isNotEmpty)) ?? [];
    for (const { number, sequence, hash, body } of exits.slice(result.exits, result.exits + PAGE_EXITS)) {
      const answer = answers[number - next.number];
      const logged = { ...body, log: { sequence, hash } };
      const difference = answer === undefined ? NO_EXIT : firstDifference(logged, answer, { isWhole: true });
      if (difference !== null) {
        const { field, ...values } = difference;
        result.findings.push({
          sequence,
          what: `${field} of exit ${number} is not what the API answers`,
          ...values,
        });
        return;
      }
      result.exits += 1;
    }
  }
}

const NO_EXIT = { field: 'number', expected: 'an exit', found: 'no such exit' };

/** At the free delay the log shows a settlement later than the API; a difference older than a day is a mismatch. */
function judgeDelayed(
  { clock, differsSince }: ComparisonInput,
  suspects: readonly Suspect[],
  result: ComparisonResult,
): void {
  for (const { alert, finding } of suspects) {
    if (clock.now() - differsSince(alert.marketId) > LONGEST_DELAY_MS) result.findings.push(finding);
    else result.notYet.push(alert);
  }
}

/** A settlement may have come after the log was read; with a real-time key its entry is visible soon. */
async function judgeAgain(input: ComparisonInput, suspects: readonly Suspect[], result: ComparisonResult) {
  const { client, clock, contents, readMore } = input;
  let left = suspects;
  const readAndCompare = async () => {
    const broken = await readMore();
    if (broken !== null) return broken;
    const still: Suspect[] = [];
    for (const { alert } of left) {
      const [answer] = await answersFrom(client, alert.id, 1);
      const finding = answer === undefined ? missing(alert) : compareAlert(contents, alert, answer, result);
      if (finding !== null) still.push({ alert, finding });
    }
    left = still;
    return null;
  };
  const isOver = (broken: LogMismatch | null) => broken !== null || left.length === 0;
  const broken = await untilVisible(clock, readAndCompare, isOver);
  result.findings.push(...(broken === null ? left.map(({ finding }) => finding) : [broken]));
}

const PAGE_ALERTS = 100;
const PAGE_EXITS = 500;
const pageSchema = z.object({ alerts: z.array(z.custom<JsonObject>(isJsonObject)) });

/** The API's answers for the alerts from an id on, as far as none is missing between them. */
async function answersFrom(
  client: ComparisonInput['client'],
  id: number,
  limit = PAGE_ALERTS,
): Promise<readonly JsonObject[]> {
  const path = `/api/v1/alerts?since_id=${id - 1}&expand=details&page_size=${limit}`;
  const { alerts } = await answerOf(client, path, { schema: pageSchema, what: 'a page of alerts' });
  const gap = alerts.findIndex((alert, index) => alert['id'] !== id + index);
  return gap < 0 ? alerts : alerts.slice(0, gap);
}

function isNotEmpty({ length }: readonly unknown[]): boolean {
  return length > 0;
}

function missing({ id, sequence }: LoggedAlert): LogMismatch {
  const what = `the API does not know alert ${id}`;
  return { sequence, what, expected: `alert ${id}`, found: 'no such alert' };
}

/** A difference in the result may be due to a settlement that the reader does not see yet; any other is final. */
function compareAlert(
  contents: LogContents,
  alert: LoggedAlert,
  answer: JsonObject,
  result: ComparisonResult,
): (LogMismatch & { readonly isFinal: boolean }) | null {
  const { id, marketId, sequence, hash, body } = alert;
  const logged = { ...body, log: { sequence, hash } };
  const difference = firstDifference(logged, answer, { isWhole: true });
  if (difference !== null) {
    const { field, ...values } = difference;
    return {
      sequence,
      what: `${field} of alert ${id} is not what the API answers`,
      ...values,
      isFinal: true,
    };
  }
  const settlement = contents.settlementOf(marketId) ?? null;
  const differing = settlementDifference(body, settlement, answer);
  if (differing === 'unknown') result.unknown += 1;
  else if (differing === null && settlement !== null) result.results += 1;
  if (differing === null || differing === 'unknown') return null;
  const { field, ...values } = differing;
  const source =
    settlement === null ? 'its market has no outcome in the log' : `of the payouts ${settlement.payouts}`;
  const what = `${field} of alert ${id} in the API does not follow from the log (${source})`;
  return { sequence: settlement?.sequence ?? sequence, what, ...values, isFinal: false };
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
