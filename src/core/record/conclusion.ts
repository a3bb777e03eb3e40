import { capitalised, counted, grouped, percent, signedCents } from '../base/text/formats.ts';
import type { RecordFigure, RecordReport, Verdict } from './record-report.ts';

/** Bets from which a mean is stated. */
const FIRST_BETS = 20;
const TEST_BET =
  'A test bet buys what one alert bought, a minute after publication, and sells it a day later.';

/** The conclusion before the first record. */
export const NOTHING_MEASURED = tooEarly(0);

interface Conclusion {
  /** The day on which the test starts, `YYYY-MM-DD`; null once it has begun. */
  readonly startsAt: string | null;
  readonly figure: RecordFigure;
}

/** What the test bets show, in everyday words (docs/method.md#the-bettor). */
export function conclusionOf({ startsAt, figure }: Conclusion): string {
  const said = verdictText(figure);
  return startsAt === null ? said : `Rehearsal; the test starts on ${dayWords(startsAt)}. ${said}`;
}

function verdictText(figure: RecordFigure): string {
  const { bets, open, mean, verdict } = figure;
  const done = bets - open;
  const over = `over ${grouped(done)} hypothetical test bets the price`;
  if (verdict !== 'not_shown')
    return `Shown: ${over} ${movedWords(mean ?? 0)} on average in the day after an alert. ${MEANINGS[verdict]}`;
  if (done < FIRST_BETS || mean === null) return tooEarly(done);
  const range =
    figure.low === null && figure.high === null ? 'any average' : `anything ${rangeWords(figure)}`;
  return `No evidence yet that following alerts pays. ${capitalised(over)} moved ${signedCents(mean)} on average; ${range} is plausible.`;
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
function rangeWords({ low, high }: RecordFigure): string {
  if (low === null && high === null) return 'any average';
  if (low === null) return `up to ${signedCents(high ?? 0)}`;
  return high === null ? `from ${signedCents(low)} up` : `from ${signedCents(low)} to ${signedCents(high)}`;
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
  const verb = right === 1 ? 'was' : 'were';
  return `${grouped(right)} of ${counted(settled, 'settled bet')} ${verb} right (${percent(right / settled)}). Breaking even at those prices took ${percent(averageEntry)}.`;
}

/** The figures of the record, a heading and five lines: the same wherever they stand. */
export function figureRows({ day_later: day, payout }: RecordReport): readonly (readonly string[])[] {
  const row = (name: string, of: (figure: RecordFigure) => string) => [name, of(day), of(payout)];
  return [
    ['Hypothetical bets', 'A day later', 'At the payout'],
    row('Closed', ({ bets, open }) => grouped(bets - open)),
    row('Average change', ({ mean }) => (mean === null ? '–' : signedCents(mean))),
    row('Plausible average', rangeWords),
    row('Highest bankroll', ({ bought }) => bankrollWords(bought.highest)),
    row('Highest against the alerts', ({ sold }) => bankrollWords(sold.highest)),
  ];
}

/** An amount to the cent: `$0.56`. */
export function bankrollWords(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** What the figures do and do not show, in words that follow them. */
export function figuresNote({ day_later: day, payout }: RecordReport): string {
  return `The first column bets on one alert at a time, for a day; the second on the first alert of each event, to its payout. A bankroll of $${day.threshold} or $${payout.threshold} would be evidence; averages prove nothing. What is plausible assumes a steady average.`;
}
