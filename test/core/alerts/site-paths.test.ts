import { expect, test } from 'vitest';
import {
  alertPath,
  cardPath,
  marketPath,
  previewPath,
  walletPath,
} from '../../../src/core/alerts/site-paths.ts';

test('an alert, a market and a wallet have a path each', () => {
  expect(alertPath(12)).toBe('/alerts/12');
  expect(marketPath('will-it-rain')).toBe('/markets/will-it-rain');
  expect(walletPath('0xAB')).toBe('/wallets/0xab');
});

test('the address of a picture changes with a sale and the result of its alert', () => {
  expect(cardPath({ id: 12, resolution: null }, null)).toBe('/alerts/12.png?v=3-open');
  expect(previewPath({ id: 12, resolution: null }, { number: 7 })).toBe('/alerts/12?v=3-open-exit-7');
  const resolved = (payout: number) =>
    cardPath({ id: 12, resolution: { payout, won: payout > 0, profitUsdc: 1 } }, { number: 7 });
  expect([1, 0.5, 0].map(resolved)).toEqual([
    '/alerts/12.png?v=3-paid-1-exit-7',
    '/alerts/12.png?v=3-paid-0.5-exit-7',
    '/alerts/12.png?v=3-paid-0-exit-7',
  ]);
});

test.each(['', '.', '..', 'x'.repeat(301)])(
  'a slug that cannot be part of a path has no page: %j',
  (slug) => {
    expect(marketPath(slug)).toBeNull();
  },
);

test('a slug never leaves its part of the path', () => {
  expect(marketPath('../record?x=#y')).toBe('/markets/..%2Frecord%3Fx%3D%23y');
  expect(marketPath('\ud800')).toBe('/markets/%EF%BF%BD');
});
