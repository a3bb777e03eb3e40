import { describe, expect, test } from 'vitest';
import {
  countsText,
  percent,
  reportSummary,
  verdictOf,
} from '../../../../src/core/ingest/doctor/doctor-report.ts';
import { reportAt } from '../../../support/doctor-reports.ts';
import { START } from '../../../support/rows.ts';

const HOUR_MS = 3_600_000;

describe('the report of the doctor', () => {
  test('its summary counts verdicts, names what did not pass with its share, and says how old it is', () => {
    const report = reportAt(START, { wallet_dates: { verdict: 'warn', share: 0.55 } });
    expect(reportSummary(report, START + 6 * HOUR_MS)).toBe('12 pass, 1 warn (wallet dates 55 %), 6 h ago');
  });

  test('failed and skipped probes are counted apart', () => {
    const report = reportAt(START, {
      trade_stream: { verdict: 'fail' },
      routes: { verdict: 'fail' },
      node_head: { verdict: 'skipped' },
    });
    expect(countsText(report)).toBe('10 pass, 2 fail (routes, trade stream), 1 skipped');
  });

  test('its verdict is the worst one; a skipped probe changes nothing', () => {
    expect(verdictOf(reportAt(START, { node_head: { verdict: 'skipped' } }))).toBe('pass');
    expect(verdictOf(reportAt(START, { cursor: { verdict: 'warn' } }))).toBe('warn');
    const both = { cursor: { verdict: 'warn' }, markets: { verdict: 'fail' } } as const;
    expect(verdictOf(reportAt(START, both))).toBe('fail');
  });

  test('a share is rounded down, so that 100 % is all of them', () => {
    expect([percent(0.999), percent(0.29), percent(0.55), percent(1)]).toEqual([
      '99 %',
      '29 %',
      '55 %',
      '100 %',
    ]);
  });
});
