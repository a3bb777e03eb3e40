import { expect, test } from 'vitest';
import { conclusionOf, recordVerdict } from '../../../src/core/record/conclusion.ts';
import type { RecordBettor, RecordReport, Verdict } from '../../../src/core/record/record-report.ts';
import { recordReportOf } from '../../support/record-report.ts';

const never = { now: 0.934, highest: 1.2, reached_at: null };
const reached = { now: 31, highest: 52.5, reached_at: '2027-05-03T04:05:06.000Z' };
const usual = { threshold: 50, bets: 40, open: 1, bought: never, sold: never, verdict: 'not_shown' } as const;

const FAIR = 'If prices are fair, at most one such bettor in fifty ever reaches $50.';
const STAKING = 'with one bet at a time and $1 split over twelve fixed ways of staking';
const CAPITAL = "(a test's capital, not money earned)";
const NOT_SHOWN = `A bettor ${STAKING} has $0.93 ${CAPITAL}. ${FAIR} Not shown.`;

test.each<[string, 'plan' | 'rehearsal', Partial<RecordBettor>, string]>([
  ['states the capital and what it would take', 'plan', {}, NOT_SHOWN],
  [
    'calls a rehearsal one, with the day on which the plan begins',
    ...(['rehearsal', {}, `Rehearsal, as the plan begins on 2027-01-01. ${NOT_SHOWN}`] as const),
  ],
  [
    'of a verdict has its direction and its date',
    ...(['plan', { verdict: 'above', bought: reached }] as const),
    `A bettor ${STAKING} reached $50 on 2027-05-03 and has $31.00 now ${CAPITAL}. ${FAIR} Above: after alerts, prices rose more than fair prices do.`,
  ],
  [
    'of a verdict against the alerts says so',
    ...(['plan', { verdict: 'below', sold: reached }] as const),
    `A bettor against the alerts ${STAKING} reached $50 on 2027-05-03 and has $31.00 now ${CAPITAL}. ${FAIR} Below: a reader who bought paid too much, which the spread alone may explain.`,
  ],
  [
    'says nothing without a bet',
    ...([
      'plan',
      { bets: 0 },
      'Nothing to say yet: no alert has had a price that a reader could pay.',
    ] as const),
  ],
])('the conclusion %s', (_, stage, given, text) => {
  expect(conclusionOf({ stage, startsAt: '2027-01-01', bettor: { ...usual, ...given } })).toBe(text);
});

test.each<[Verdict, number, RegExp]>([
  ['not_shown', 40, /^Not shown\.$/],
  ['above', 40, /^Above: .*\.$/],
  ['below', 40, /^Below: .*\.$/],
  ['not_shown', 0, /^Nothing to say yet: .*\.$/],
])('the verdict %s after %i bets is the last sentence of the conclusion', (verdict, bets, text) => {
  const stage = 'plan';
  const bettor = { ...usual, verdict, bets };
  const conclusion = conclusionOf({ stage, startsAt: '2027-01-01', bettor });
  const report = recordReportOf();
  const stages = report.stages.map((newest) => ({ ...newest, bettor: { ...newest.bettor, verdict, bets } }));
  const said = recordVerdict({ ...report, stages, conclusion } satisfies RecordReport);
  expect(said).toMatch(text);
  expect(conclusion.endsWith(said)).toBe(true);
});
