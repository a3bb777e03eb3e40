import type { RecordBettor, RecordReport, RecordStageName, Verdict } from './record-report.ts';

const STAKING = 'one bet at a time and $1 split over twelve fixed ways of staking';
const NOT_EARNED = "(a test's capital, not money earned)";

/** The conclusion where no alert could be bet on. */
export const NOTHING_MEASURED = 'Nothing to say yet: no alert has had a price that a reader could pay.';

interface Conclusion {
  readonly stage: RecordStageName;
  /** `YYYY-MM-DD`. */
  readonly startsAt: string;
  readonly bettor: RecordBettor;
}

/** The last sentence of a conclusion, by the verdict. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  not_shown: 'Not shown.',
  above: 'Above: after alerts, prices rose more than fair prices do.',
  below: 'Below: a reader who bought paid too much, which the spread alone may explain.',
};

/** The last sentence of a record's conclusion, where there is no room for all of it. */
export function recordVerdict({ stages: [newest], conclusion }: RecordReport): string {
  return newest === undefined || newest.bettor.bets === 0 ? conclusion : VERDICTS[newest.bettor.verdict];
}

/** What the bettor shows, in everyday words (docs/method.md#the-bettor). */
export function conclusionOf({ stage, startsAt, bettor }: Conclusion): string {
  if (bettor.bets === 0) return NOTHING_MEASURED;
  const said = verdictText(bettor);
  return stage === 'plan' ? said : `Rehearsal, as the plan begins on ${startsAt}. ${said}`;
}

function verdictText({ verdict, bought, sold, threshold }: RecordBettor): string {
  const chance = `If prices are fair, at most one such bettor in fifty ever reaches ${dollarsOf(threshold, 0)}.`;
  const meaning = VERDICTS[verdict];
  if (verdict === 'not_shown')
    return `A bettor with ${STAKING} has ${dollarsOf(bought.now)} ${NOT_EARNED}. ${chance} ${meaning}`;
  const [who, { reached_at: reachedAt, now }] =
    verdict === 'above' ? ['A bettor', bought] : ['A bettor against the alerts', sold];
  const reached = `reached ${dollarsOf(threshold, 0)} on ${reachedAt?.slice(0, 10)} and has ${dollarsOf(now)} now ${NOT_EARNED}`;
  return `${who} with ${STAKING} ${reached}. ${chance} ${meaning}`;
}

function dollarsOf(amount: number, decimals = 2): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `$${amount.toLocaleString('en-US', digits)}`;
}
