import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ago, cents, dollars, signedDollars } from '../../../src/core/base/text/formats.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';

describe('amounts', () => {
  test.each([
    [12_340.4, '$12,340'],
    [-2_000, '-$2,000'],
    [0.996, '$1'],
    [0.5, '$0.50'],
    [-0.3, '-$0.30'],
    [0.004, '$0'],
    [-0.004, '$0'],
  ])('%f USDC is %s', (usdc, words) => {
    expect(dollars(usdc)).toBe(words);
  });

  test.each([
    [1_234.4, '+$1,234'],
    [0, '+$0'],
    [-0.3, '−$0.30'],
    [-2_000, '−$2,000'],
  ])('with its sign, %f USDC is %s', (usdc, words) => {
    expect(signedDollars(usdc)).toBe(words);
  });
});

describe('prices', () => {
  test.each([
    [0.145403, '14.5¢'],
    [0.0004, '0.04¢'],
    [0.9996, '99.96¢'],
    [0, '0¢'],
    [1, '100¢'],
  ])('%f is %s', (price, words) => {
    expect(cents(price)).toBe(words);
  });

  test('no price between 0 and 1 reads as 0¢ or 100¢, and none is off by more than a twentieth of a cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (millionths) => {
        const said = Number.parseFloat(cents(millionths / 1e6));
        expect(said).toBeGreaterThan(0);
        expect(said).toBeLessThan(100);
        expect(Math.abs(said - millionths / 1e4)).toBeLessThanOrEqual(0.05 + 1e-9);
      }),
    );
  });
});

describe('ages', () => {
  const now = Date.UTC(2026, 10, 21, 20, 15);

  test.each([
    [-5_000, '0 s ago'],
    [30_000, '30 s ago'],
    [17 * MINUTE_MS, '17 min ago'],
    [HOUR_MS + MINUTE_MS, '1 h ago'],
    [25 * HOUR_MS, '1 day ago'],
    [59 * DAY_MS, '59 days ago'],
    [60 * DAY_MS, 'on 2026-09-22'],
  ])('what was %i ms before now was %s', (ms, words) => {
    expect(ago(now - ms, now)).toBe(words);
  });
});
