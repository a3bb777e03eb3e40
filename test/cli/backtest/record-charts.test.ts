import { describe, expect, test } from 'vitest';
import { recordCharts } from '../../../src/cli/backtest/record-charts.ts';
import type { RecordPeriod } from '../../../src/core/record/record-report.ts';
import { openElements } from '../../support/open-elements.ts';
import { recordReportOf } from '../../support/record-report.ts';

describe('the pictures of a record', () => {
  const pictures = (given: Parameters<typeof recordReportOf>[0]) => [
    ...recordCharts(recordReportOf(given).periods[0] as RecordPeriod),
  ];

  test.each([[{}], [{ mean: null }], [{ months: 0 }], [{ months: 30 }]])(
    'are whole SVG files without a font, a script or a link, of %o',
    (given) => {
      for (const [name, text] of pictures(given)) {
        expect(openElements(text), name).toEqual([]);
        expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img"/);
        expect(text).not.toMatch(/NaN|Infinity|undefined|<script|href|url\(/);
        expect(text).toContain('prefers-color-scheme: dark');
      }
    },
  );

  test('say in words what they show', () => {
    const [[, drift = ''], [, months = '']] = pictures({}) as [[string, string], [string, string]];
    expect(drift).toMatch(/<desc id="description">.*own impact: -1\.2 \[-2\.2, -0\.2\], 5 events;/);
    expect(months).toMatch(/<desc id="description">.*2027-01 -1\.2 \(n=12\), 2027-02 -1\.2 \(n=12\)/);
  });

  test('draw a mean to the left of 0 where it is a loss', () => {
    const [[, text = '']] = pictures({}) as [[string, string]];
    const zero = Number(/class="zero" x1="([\d.]+)"/.exec(text)?.[1]);
    for (const [, x] of text.matchAll(/<circle class="f0" cx="([\d.]+)"/g))
      expect(Number(x)).toBeLessThan(zero);
  });
});
