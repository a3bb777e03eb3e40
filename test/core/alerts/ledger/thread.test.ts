import { describe, expect, test } from 'vitest';
import { isOfSameOrder, newestOfThreads, threadKey } from '../../../../src/core/alerts/ledger/thread.ts';
import { alertOf } from '../../../support/alerts.ts';
import { START } from '../../../support/rows.ts';

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

test('of each thread the newest alert is listed, in the given order', () => {
  const threads = [
    [5, 2],
    [4, 1],
    [3, 2],
    [1, 1],
  ] as const;
  const alerts = threads.map(([id, threadId]) => alertOf({ id, threadId }));
  expect(newestOfThreads(alerts).map(({ id }) => id)).toEqual([5, 4]);
  expect(newestOfThreads(alerts.toReversed()).map(({ id }) => id)).toEqual([4, 5]);
});

test('a cluster is of the order of the alert just before it: of the same wallet, market and time', () => {
  const cluster = alertOf({ id: 2, type: 'cluster' });
  const before = { ...cluster, id: 1, type: 'fresh' } as const;
  expect(isOfSameOrder(cluster, before)).toBe(true);
  expect(isOfSameOrder({ ...cluster, type: 'fresh' }, before)).toBe(false);
  for (const other of [{ id: 0 }, { wallet: '0xbb' }, { marketId: '0xm2' }, { tradedAt: START - 1 }])
    expect(isOfSameOrder(cluster, { ...before, ...other })).toBe(false);
  expect(isOfSameOrder(cluster, undefined)).toBe(false);
});
