import { capitalised, signedCents } from '../base/text/formats.ts';
import type { MoveBettor, RecordStageName, Verdict } from './record-report.ts';

/** Bets from which a mean is stated. */
const FIRST_BETS = 20;
const TEST_BET =
  'A test bet buys what one alert bought, a minute after publication, and sells it a day later.';

/** The conclusion before the first record. */
export const NOTHING_MEASURED = tooEarly(0);

interface Conclusion {
  readonly stage: RecordStageName;
  /** `YYYY-MM-DD`. */
  readonly startsAt: string;
  readonly bettor: MoveBettor | null;
}

/** What the test bets show, in everyday words (docs/method.md#the-bettor). `bettor`: null without an alert. */
export function conclusionOf({ stage, startsAt, bettor }: Conclusion): string {
  const said = bettor === null ? NOTHING_MEASURED : verdictText(bettor);
  return stage === 'plan' ? said : `Rehearsal; the test starts on ${dayWords(startsAt)}. ${said}`;
}

function verdictText(bettor: MoveBettor): string {
  const { bets, open, mean, verdict } = bettor;
  const done = bets - open;
  const over = `over ${done.toLocaleString('en-US')} hypothetical test bets the price`;
  if (verdict !== 'not_shown')
    return `Shown: ${over} ${movedWords(mean ?? 0)} on average in the day after an alert. ${MEANINGS[verdict]}`;
  if (done < FIRST_BETS || mean === null) return tooEarly(done);
  return `No evidence yet that following alerts pays. ${capitalised(over)} moved ${signedCents(mean)} on average; ${plausibleWords(bettor)}.`;
}

function tooEarly(done: number): string {
  return `Too early to say: ${done} of the first ${FIRST_BETS} hypothetical test bets ${done === 1 ? 'is' : 'are'} done. ${TEST_BET}`;
}

const CHANCE = 'If prices were fair, at most 1 in 50 such records would ever look this';
const MEANINGS: Readonly<Record<Exclude<Verdict, 'not_shown'>, string>> = {
  above: `${CHANCE} good. Fees, size and the spread at the sale are not counted.`,
  below: `${CHANCE} bad. The spread alone can cause it.`,
};

function movedWords(mean: number): string {
  const cents = signedCents(mean);
  return `${cents.startsWith('−') ? 'fell' : 'rose'} ${cents.slice(1)}`;
}

/** The interval of the mean. An end that nothing excludes is not named. */
export function plausibleWords({ low, high }: Pick<MoveBettor, 'low' | 'high'>): string {
  if (low === null && high === null) return 'any average is plausible';
  if (low === null) return `anything up to ${signedCents(high ?? 0)} is plausible`;
  if (high === null) return `anything from ${signedCents(low)} up is plausible`;
  return `anything from ${signedCents(low)} to ${signedCents(high)} is plausible`;
}

function dayWords(day: string): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(day));
}

/** Settled bets, how many were right, and the mean price at which they were made, USDC a share. */
export interface SettledBets {
  readonly settled: number;
  readonly right: number;
  readonly averageEntry: number;
}

/** How many settled bets were right, beside what the prices paid needed: one says nothing without the other. */
export function rightWords({ settled, right, averageEntry }: SettledBets): string {
  const [of, bets] = [settled, right].map((count) => count.toLocaleString('en-US'));
  const noun = settled === 1 ? 'settled bet' : 'settled bets';
  const verb = right === 1 ? 'was' : 'were';
  return `${bets} of ${of} ${noun} ${verb} right (${percent(right / settled)}). Breaking even at those prices took ${percent(averageEntry)}.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
