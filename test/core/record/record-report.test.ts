import { expect, test } from 'vitest';
import { recordCsv } from '../../../src/core/record/record-report.ts';
import { recordReportOf } from '../../support/record-report.ts';

test('the CSV has a row per stage, month and figure, in the form of RFC 4180, with an empty field for what is not measured', () => {
  const head = 'stage,month,figure,alerts,events,mean\r\n';
  const rowsOf = (month: string, mean: string) =>
    `plan,${month},move_24h,12,5,${mean}\r\nplan,${month},won_minus_price,12,5,${mean}\r\n`;
  expect(recordCsv(recordReportOf({ months: 2 }))).toBe(
    head + rowsOf('2027-01', '-0.0123') + rowsOf('2027-02', '-0.0123'),
  );
  expect(recordCsv(recordReportOf({ months: 1, mean: null }))).toBe(head + rowsOf('2027-01', ''));
  expect(recordCsv({ stages: [] })).toBe(head);
});
