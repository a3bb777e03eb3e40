import { expect, test } from 'vitest';
import { stageHeading, stageTexts } from '../../src/cli/record-text.ts';
import type { RecordStage } from '../../src/core/record/record-report.ts';
import { recordReportOf } from '../support/record-report.ts';

function linesOf(given: Parameters<typeof recordReportOf>[0]): readonly string[] {
  const [stage] = recordReportOf(given).stages;
  return stageTexts(stage as RecordStage).flatMap((text) => text.split('\n'));
}

test('the tables fit in 80 columns, with many alerts', () => {
  for (const given of [{}, { mean: null }, { count: 99_999, mean: -0.9876 }])
    for (const line of linesOf(given)) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('the bettors come first, and losses have their sign', () => {
  const [first, , bettor, holder, interval, ...others] = linesOf({});
  expect(first).toBe('The bettors, who begin with $1 and show something at');
  expect(bettor).toMatch(/^one bet at a time, one day each +12 +1 +0\.93 +1\.40 +0\.93 +1\.40 +50$/);
  expect(holder).toMatch(/ 200$/);
  expect(interval).toBe('Mean move in 24 h, 96 % interval: -2.1 to +3.4 ¢');
  expect(others.findLast((line) => line.startsWith('won - price  '))).toMatch(/ 12 +5 +-1\.2 +-1\.2$/);
});

test('what is not measured has a dash', () => {
  expect(linesOf({ mean: null }).findLast((line) => line.startsWith('won - price  '))).toMatch(
    / 12 +5 +- +-$/,
  );
});

test('the heading says whether the alerts are of the plan, and their time', () => {
  const [stage] = recordReportOf().stages as [RecordStage];
  expect(stageHeading(stage)).toBe('The plan: alerts of 2027-01-02 to 2027-03-30');
  expect(stageHeading({ ...stage, stage: 'rehearsal' })).toMatch(/^Rehearsal, before the plan: alerts of/);
});
