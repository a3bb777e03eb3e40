import { expect, test } from 'vitest';
import { recordCsv } from '../../../src/core/record/record-csv.ts';
import { scoreBandOf } from '../../../src/core/record/record-report.ts';
import { parseCsv } from '../../support/csv.ts';
import { recordReportOf } from '../../support/record-report.ts';

test('the CSV has a row per stage, month and figure, in the form of RFC 4180', () => {
  const text = recordCsv(recordReportOf({ months: 2 }));
  expect(text.split('\r\n')[0]).toBe('stage,month,figure,alerts,events,mean');
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(text.endsWith('\r\n')).toBe(true);
  const rows = parseCsv(text);
  expect(rows.map(({ month, figure }) => `${month} ${figure}`)).toEqual([
    '2027-01 move_24h',
    '2027-01 won_minus_price',
    '2027-02 move_24h',
    '2027-02 won_minus_price',
  ]);
  expect(rows[0]).toEqual({
    ...{ stage: 'plan', month: '2027-01', figure: 'move_24h' },
    ...{ alerts: '12', events: '5', mean: '-0.0123' },
  });
});

test('a figure that is not measured is an empty field, and a record without alerts is the header line', () => {
  const [row] = parseCsv(recordCsv(recordReportOf({ months: 1, mean: null })));
  expect(row?.['mean']).toBe('');
  expect(recordCsv({ stages: [] })).toBe('stage,month,figure,alerts,events,mean\r\n');
});

test.each([
  [100, 'very_high'],
  [80, 'very_high'],
  [79, 'strong'],
  [60, 'strong'],
  [59, 'moderate'],
  [40, 'moderate'],
  [39, 'informational'],
  [0, 'informational'],
] as const)('a score of %i is %s', (score, band) => {
  expect(scoreBandOf(score)).toBe(band);
});
