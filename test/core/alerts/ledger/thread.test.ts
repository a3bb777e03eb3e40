import { describe, expect, test } from 'vitest';
import { oneThread, threadKey } from '../../../../src/core/alerts/ledger/thread.ts';
import { alertOf } from '../../../support/alerts.ts';

const key = (given: Partial<Parameters<typeof alertOf>[0]> = {}) => threadKey(alertOf({ id: 1, ...given }));

describe('thread key', () => {
  test('is the same for both types of wallet alerts of one wallet, market and outcome, whatever else differs', () => {
    const other = { type: 'fresh_accumulator', key: 'k', score: 1, usdc: 9, eventTitle: 'Renamed' } as const;
    expect(key(other)).toBe(key());
  });

  test.each([
    { wallet: '0xbb' },
    { marketId: '0xm2' },
    { outcome: 'No' },
    { side: 'SELL' },
    { type: 'cluster' },
  ] as const)('is another with %o', (given) => {
    expect(key(given)).not.toBe(key());
  });

  test('of a cluster leaves out the wallet that completed it', () => {
    expect(key({ type: 'cluster', wallet: '0xbb' })).toBe(key({ type: 'cluster' }));
    expect(key({ type: 'cluster', outcome: 'No' })).not.toBe(key({ type: 'cluster' }));
  });
});

test('alerts under the keys with and without the name of an outcome are one thread, oldest first', () => {
  expect(
    oneThread([
      [{ id: 2 }, { id: 9 }],
      [{ id: 3 }, { id: 10 }],
    ]).map(({ id }) => id),
  ).toEqual([2, 3, 9, 10]);
});
