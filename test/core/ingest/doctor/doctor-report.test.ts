import { describe, expect, test } from 'vitest';
import {
  blockAgeVerdict,
  countsText,
  cursorVerdict,
  headPageVerdict,
  logRatioVerdict,
  marketsVerdict,
  percent,
  reportSummary,
  resolutionsVerdict,
  rowAgeVerdict,
  skewVerdict,
  verdictOf,
  walletDatesVerdict,
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
    expect([0.999, 0.29, 0.55, 1].map(percent)).toEqual(['99 %', '29 %', '55 %', '100 %']);
  });
});

describe('verdicts of the doctor', () => {
  test.each([
    ['a row of 15 s passes', rowAgeVerdict(15_000), 'pass'],
    ['a row that is older warns', rowAgeVerdict(15_001), 'warn'],
    ['a row of more than a minute fails', rowAgeVerdict(60_001), 'fail'],
    ['a skew below 2 s passes', skewVerdict(-1_999), 'pass'],
    ['a skew of 2 s warns', skewVerdict(2_000), 'warn'],
    ['a skew of 10 s fails, on either side', skewVerdict(-10_000), 'fail'],
    ['a block below 10 s passes', blockAgeVerdict(9_999), 'pass'],
    ['a block of 10 s warns', blockAgeVerdict(10_000), 'warn'],
    ['a block of 30 s fails', blockAgeVerdict(30_000), 'fail'],
    ['a ratio of 1.03 passes', logRatioVerdict(1.03), 'pass'],
    ['a ratio of 0.97 passes', logRatioVerdict(0.97), 'pass'],
    ['a ratio of 0.96 warns', logRatioVerdict(0.96), 'warn'],
    ['a ratio of 1.11 fails', logRatioVerdict(1.11), 'fail'],
    ['70 % of wallets with a date pass', walletDatesVerdict(0.7), 'pass'],
    ['55 % of wallets with a date warn', walletDatesVerdict(0.55), 'warn'],
    ['39 % of wallets with a date fail', walletDatesVerdict(0.39), 'fail'],
    ['90 % of markets described pass', marketsVerdict(0.9), 'pass'],
    ['69 % of markets described fail', marketsVerdict(0.69), 'fail'],
    ['70 % of resolutions pass', resolutionsVerdict(0.7), 'pass'],
    ['a twentieth of the rows twice passes', cursorVerdict(0.05), 'pass'],
    ['half of the rows twice fails', cursorVerdict(0.5), 'fail'],
    ['other rows from the market pass', headPageVerdict({ isDifferent: true, isCached: false }), 'pass'],
    ['the same rows from the market pass', headPageVerdict({ isDifferent: false, isCached: false }), 'pass'],
    ['other rows from a cache warn', headPageVerdict({ isDifferent: true, isCached: true }), 'warn'],
    ['the same rows from a cache fail', headPageVerdict({ isDifferent: false, isCached: true }), 'fail'],
  ])('%s', (_, verdict, expected) => {
    expect(verdict).toBe(expected);
  });
});
