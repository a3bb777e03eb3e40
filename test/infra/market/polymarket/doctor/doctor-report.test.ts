import { describe, expect, test } from 'vitest';
import {
  countsText,
  type DoctorReport,
  PROBES,
  type ProbeFinding,
  type ProbeName,
  percent,
  VERDICTS,
  verdictOf,
} from '../../../../../src/infra/market/polymarket/doctor/doctor-report.ts';
import { START } from '../../../../support/rows.ts';

/** A report in which every probe passed but those named. */
function reportOf(others: Readonly<Partial<Record<ProbeName, Partial<ProbeFinding>>>>): DoctorReport {
  const passed: ProbeFinding = { verdict: 'pass', seen: 'as assumed', share: null };
  const results = PROBES.map((probe) => ({ probe, ...passed, ...others[probe], action: null }));
  return { startedAt: START, endedAt: START, results };
}

describe('the report of the doctor', () => {
  test('its summary counts verdicts, and names what did not pass with its share', () => {
    const report = reportOf({ wallet_dates: { verdict: 'warn', share: 0.55 } });
    expect(countsText(report)).toBe('12 pass, 1 warn (wallet dates 55 %)');
  });

  test('failed and skipped probes are counted apart', () => {
    const report = reportOf({
      trade_stream: { verdict: 'fail' },
      routes: { verdict: 'fail' },
      node_head: { verdict: 'skipped' },
    });
    expect(countsText(report)).toBe('10 pass, 2 fail (routes, trade stream), 1 skipped');
  });

  test('its verdict is the worst one; a skipped probe changes nothing', () => {
    expect(verdictOf(reportOf({ node_head: { verdict: 'skipped' } }))).toBe('pass');
    expect(verdictOf(reportOf({ cursor: { verdict: 'warn' } }))).toBe('warn');
    const both = { cursor: { verdict: 'warn' }, markets: { verdict: 'fail' } } as const;
    expect(verdictOf(reportOf(both))).toBe('fail');
  });

  test('a share is rounded down, so that 100 % is all of them', () => {
    expect([0.999, 0.29, 0.55, 1].map(percent)).toEqual(['99 %', '29 %', '55 %', '100 %']);
  });
});

describe('verdicts of the doctor', () => {
  test.each([
    ['a row of 15 s passes', VERDICTS.rowAge(15_000), 'pass'],
    ['a row that is older warns', VERDICTS.rowAge(15_001), 'warn'],
    ['a row of more than a minute fails', VERDICTS.rowAge(60_001), 'fail'],
    ['a skew below 2 s passes', VERDICTS.skew(-1_999), 'pass'],
    ['a skew of 2 s warns', VERDICTS.skew(2_000), 'warn'],
    ['a skew of 10 s fails, on either side', VERDICTS.skew(-10_000), 'fail'],
    ['a block below 10 s passes', VERDICTS.blockAge(9_999), 'pass'],
    ['a block of 10 s warns', VERDICTS.blockAge(10_000), 'warn'],
    ['a block of 30 s fails', VERDICTS.blockAge(30_000), 'fail'],
    ['a ratio of 1.03 passes', VERDICTS.logRatio(1.03), 'pass'],
    ['a ratio of 0.97 passes', VERDICTS.logRatio(0.97), 'pass'],
    ['a ratio of 0.96 warns', VERDICTS.logRatio(0.96), 'warn'],
    ['a ratio of 1.11 fails', VERDICTS.logRatio(1.11), 'fail'],
    ['70 % of wallets with a date pass', VERDICTS.walletDates(0.7), 'pass'],
    ['55 % of wallets with a date warn', VERDICTS.walletDates(0.55), 'warn'],
    ['39 % of wallets with a date fail', VERDICTS.walletDates(0.39), 'fail'],
    ['90 % of markets described pass', VERDICTS.markets(0.9), 'pass'],
    ['69 % of markets described fail', VERDICTS.markets(0.69), 'fail'],
    ['70 % of resolutions pass', VERDICTS.resolutions(0.7), 'pass'],
    ['a twentieth of the rows twice passes', VERDICTS.cursor(0.05), 'pass'],
    ['half of the rows twice fails', VERDICTS.cursor(0.5), 'fail'],
    ['other rows from the market pass', VERDICTS.headPage({ isDifferent: true, isCached: false }), 'pass'],
    [
      'the same rows from the market pass',
      VERDICTS.headPage({ isDifferent: false, isCached: false }),
      'pass',
    ],
    ['other rows from a cache warn', VERDICTS.headPage({ isDifferent: true, isCached: true }), 'warn'],
    ['the same rows from a cache fail', VERDICTS.headPage({ isDifferent: false, isCached: true }), 'fail'],
  ])('%s', (_, verdict, expected) => {
    expect(verdict).toBe(expected);
  });
});
