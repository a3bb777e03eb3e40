import { expect, test } from 'vitest';
import { periodHeading, periodTexts } from '../../src/cli/period-text.ts';
import type { RecordPeriod } from '../../src/core/record/record-report.ts';
import { recordReportOf } from '../support/record-report.ts';

function linesOf(given: Parameters<typeof recordReportOf>[0]): readonly string[] {
  const [period] = recordReportOf(given).periods;
  return periodTexts(period as RecordPeriod).flatMap((text) => text.split('\n'));
}

test('the tables fit in 80 columns, with many alerts and with wide intervals', () => {
  for (const given of [{}, { mean: null }, { count: 99_999, mean: -0.9876, months: 24 }])
    for (const line of linesOf(given)) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('the verdicts come first, and losses have their sign', () => {
  const [first, ...others] = linesOf({});
  expect(first).toBe('Verdict of 2027-03-31: Not shown to differ from the price.');
  expect(others.findLast((line) => line.startsWith('won - price  '))).toMatch(
    / 12 +5 +-1\.2 \[-2\.2, -0\.2\] +-1\.2$/,
  );
});

test('what has no figure is counted beside it', () => {
  const lines = linesOf({});
  expect(lines).toContain('24 h later:      6 measured, 1 pending, 3 stale, 2 unobserved');
  expect(lines.some((line) => line.includes('2 not fillable'))).toBe(true);
  expect(linesOf({ mean: null }).findLast((line) => line.startsWith('won - price  '))).toMatch(
    / 12 +5 +- +-$/,
  );
});

test('the heading names the rules, their time and the next verdict', () => {
  const [period] = recordReportOf().periods as [RecordPeriod];
  expect(periodHeading(period)).toBe(
    'Rules 3, alerts of 2027-01-02 to 2027-03-30; the next verdict is at 2027-07-01T00:00:00.000Z',
  );
  expect(periodHeading({ ...period, stage: 'before_plan', next_verdict_at: null })).toBe(
    'Rules 3 before the plan, alerts of 2027-01-02 to 2027-03-30',
  );
});
