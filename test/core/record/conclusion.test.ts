import { expect, test } from 'vitest';
import { conclusionOf } from '../../../src/core/record/conclusion.ts';
import type { RecordBettor } from '../../../src/core/record/record-report.ts';

const never = { now: 0.934, highest: 1.2, reached_at: null };
const reached = { now: 31, highest: 52.5, reached_at: '2027-05-03T04:05:06.000Z' };

function said(given: Partial<RecordBettor>, stage: 'plan' | 'rehearsal' = 'plan'): string {
  const bettor = {
    threshold: 50,
    bets: 40,
    open: 1,
    bought: never,
    sold: never,
    verdict: 'not_shown',
    ...given,
  } as const;
  return conclusionOf({ stage, startsAt: '2027-01-01', bettor });
}

const FAIR = 'If prices are fair, at most one such bettor in fifty ever reaches $50.';

test('without a verdict the capital is stated, and what it would take', () => {
  expect(said({})).toBe(
    `A bettor with one bet at a time and $1 split over twelve fixed ways of staking has $0.93 (a test's capital, not money earned). ${FAIR} Not shown.`,
  );
});

test('a rehearsal is called one, with the day on which the plan begins', () => {
  expect(said({}, 'rehearsal')).toMatch(
    /^Rehearsal, as the plan begins on 2027-01-01\. A bettor .* Not shown\.$/,
  );
});

test('a verdict has its direction and its date', () => {
  expect(said({ verdict: 'above', bought: reached })).toBe(
    `A bettor with one bet at a time and $1 split over twelve fixed ways of staking reached $50 on 2027-05-03 and has $31.00 now (a test's capital, not money earned). ${FAIR} Above: after alerts, prices rose more than fair prices do.`,
  );
  expect(said({ verdict: 'below', sold: reached })).toMatch(
    /^A bettor against the alerts with one bet .* Below: a reader who bought paid too much, which the spread alone may explain\.$/,
  );
});

test('without a bet nothing is said', () => {
  expect(said({ bets: 0 })).toBe('Nothing to say yet: no alert has had a price that a reader could pay.');
});
