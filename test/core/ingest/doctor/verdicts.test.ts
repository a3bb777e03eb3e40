import { describe, expect, test } from 'vitest';
import {
  blockAgeVerdict,
  cursorVerdict,
  headPageVerdict,
  logRatioVerdict,
  marketsVerdict,
  resolutionsVerdict,
  rowAgeVerdict,
  skewVerdict,
  walletDatesVerdict,
} from '../../../../src/core/ingest/doctor/doctor-report.ts';

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
