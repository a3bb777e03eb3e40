import { expect, test } from 'vitest';
import { isOfSameOrder, newestOfThreads } from '../../../../src/core/alerts/ledger/thread.ts';
import { alertOf } from '../../../support/alerts.ts';
import { START } from '../../../support/rows.ts';

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
