import { expect, test } from 'vitest';
import { alertPath, marketPath, walletPath } from '../../../src/core/alerts/site-paths.ts';

test('an alert, a market and a wallet have a path each', () => {
  expect(alertPath(12)).toBe('/alerts/12');
  expect(marketPath('will-it-rain')).toBe('/markets/will-it-rain');
  expect(walletPath('0xAB')).toBe('/wallets/0xab');
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
