import { describe, expect, test } from 'vitest';
import {
  conclusionOf,
  figureRows,
  NOTHING_MEASURED,
  rightWords,
} from '../../../src/core/record/conclusion.ts';
import type { RecordFigure } from '../../../src/core/record/record-report.ts';
import { recordReportOf } from '../../support/record-report.ts';

const never = { now: 0.934, highest: 1.2 };
const usual: RecordFigure = {
  threshold: 50,
  bets: 51,
  open: 2,
  bought: never,
  sold: never,
  verdict: 'not_shown',
  mean: 0.01,
  low: -0.0531,
  high: 0.0374,
};
const said = (given: Partial<RecordFigure>) =>
  conclusionOf({ startsAt: null, figure: { ...usual, ...given } });

const TEST_BET =
  'A test bet buys what one alert bought, a minute after publication, and sells it a day later.';

describe('the conclusion of the record', () => {
  test.each<[string, Partial<RecordFigure>, string]>([
    [
      'fewer than 20 bets are too early',
      { bets: 14, open: 2 },
      `Too early to say: 12 of the first 20 hypothetical test bets are done. ${TEST_BET}`,
    ],
    [
      'one bet is one',
      { bets: 1, open: 0 },
      `Too early to say: 1 of the first 20 hypothetical test bets is done. ${TEST_BET}`,
    ],
    [
      'open bets are not done',
      { bets: 21, open: 2 },
      `Too early to say: 19 of the first 20 hypothetical test bets are done. ${TEST_BET}`,
    ],
    [
      'nothing is shown',
      {},
      'No evidence yet that following alerts pays. Over 49 hypothetical test bets the price moved +1.0¢ on average; anything from −5.3¢ to +3.7¢ is plausible.',
    ],
    [
      'an interval without ends is named as one',
      { low: null, high: null, mean: -0.002 },
      'No evidence yet that following alerts pays. Over 49 hypothetical test bets the price moved −0.2¢ on average; any average is plausible.',
    ],
    [
      'an interval with a lower end only',
      { high: null },
      'No evidence yet that following alerts pays. Over 49 hypothetical test bets the price moved +1.0¢ on average; anything from −5.3¢ up is plausible.',
    ],
    [
      'an interval with an upper end only',
      { low: null },
      'No evidence yet that following alerts pays. Over 49 hypothetical test bets the price moved +1.0¢ on average; anything up to +3.7¢ is plausible.',
    ],
    [
      'above',
      { verdict: 'above', bets: 127, open: 0, mean: 0.031 },
      'Shown: over 127 hypothetical test bets the price rose 3.1¢ on average in the day after an alert. If prices were fair, at most 1 in 50 such records would ever look this good. Fees, size and the spread at the sale are not counted.',
    ],
    [
      'below, of more than a thousand bets',
      { verdict: 'below', bets: 1_401, open: 1, mean: -0.02 },
      'Shown: over 1,400 hypothetical test bets the price fell 2.0¢ on average in the day after an alert. If prices were fair, at most 1 in 50 such records would ever look this bad. The spread alone can cause it.',
    ],
    [
      'evidence is not too early, and a mean that has turned since is told as it is',
      { verdict: 'above', bets: 19, open: 0, mean: -0.004 },
      'Shown: over 19 hypothetical test bets the price fell 0.4¢ on average in the day after an alert. If prices were fair, at most 1 in 50 such records would ever look this good. Fees, size and the spread at the sale are not counted.',
    ],
  ])('%s', (_, given, text) => {
    expect(said(given)).toBe(text);
  });

  test('before the first day of the test begins with the day on which the test starts', () => {
    const rehearsal = (startsAt: string) => conclusionOf({ startsAt, figure: usual });
    expect(rehearsal('2027-01-01')).toBe(`Rehearsal; the test starts on 1 January 2027. ${said({})}`);
    expect(rehearsal('2028-10-31')).toContain('the test starts on 31 October 2028.');
  });

  test('without a bet is too early', () => {
    expect(said({ bets: 0, open: 0, mean: null })).toBe(NOTHING_MEASURED);
    expect(NOTHING_MEASURED).toBe(
      `Too early to say: 0 of the first 20 hypothetical test bets are done. ${TEST_BET}`,
    );
  });
});

test.each([
  [66, 37, 0.6011, '37 of 66 settled bets were right (56%). Breaking even at those prices took 60%.'],
  [1, 1, 0.5, '1 of 1 settled bet was right (100%). Breaking even at those prices took 50%.'],
  [3, 0, 0.2, '0 of 3 settled bets were right (0%). Breaking even at those prices took 20%.'],
  [
    2_400,
    1_200,
    0.4449,
    '1,200 of 2,400 settled bets were right (50%). Breaking even at those prices took 44%.',
  ],
])(
  'of %i settled bets %i were right, beside what their prices needed',
  (settled, right, averageEntry, text) => {
    expect(rightWords({ settled, right, averageEntry })).toBe(text);
  },
);

test('the figures are five lines of two columns, losses like gains, and a dash or a word for what is not known', () => {
  const none = { ...usual, bets: 0, open: 0, mean: null, low: null, high: null };
  const report = { ...recordReportOf(), day_later: { ...usual, mean: -0.0123 }, payout: none };
  expect(figureRows(report)).toEqual([
    ['Hypothetical bets', 'A day later', 'At the payout'],
    ['Closed', '49', '0'],
    ['Average change', '−1.2¢', '–'],
    ['Plausible average', 'from −5.3¢ to +3.7¢', 'any average'],
    ['Highest bankroll', '$1.20', '$1.20'],
    ['Highest against the alerts', '$1.20', '$1.20'],
  ]);
  const rangeOf = (given: Partial<RecordFigure>) =>
    figureRows({ ...report, payout: { ...usual, ...given } })[3]?.[2];
  expect([rangeOf({ low: null }), rangeOf({ high: null })]).toEqual(['up to +3.7¢', 'from −5.3¢ up']);
});
