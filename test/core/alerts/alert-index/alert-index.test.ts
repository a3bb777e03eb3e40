import { expect, test, vi } from 'vitest';
import { AlertIndex, type IndexSource } from '../../../../src/core/alerts/alert-index/alert-index.ts';
import type { AlertFacets } from '../../../../src/core/alerts/alert-index/facets.ts';
import { Walk } from '../../../../src/core/alerts/alert-index/walk.ts';
import { alertOf } from '../../../support/alerts.ts';

function facetsOf(id: number): AlertFacets {
  const won = [null, false, true][id % 3] ?? null;
  return {
    ...alertOf({ id, usdc: id, score: id % 101 }),
    ...{ putInUsdc: id, toWinUsdc: id, won, members: [] },
  };
}

/** So many alerts, to which the test may add. */
function indexOver(count: number) {
  const stored = Array.from({ length: count }, (_, index) => facetsOf(index + 1));
  const facets = vi.fn<IndexSource['alerts']['facets']>(async (after, limit) =>
    stored.slice(after, after + limit),
  );
  const index = new AlertIndex({
    alerts: { facets, results: async () => [], ofMarket: async () => [] },
    settlements: { after: async () => [], lastSeq: async () => 0 },
    log: { sequencesOf: async () => [], some: async () => [], lastAbout: async () => null },
    pause: async () => {},
  });
  return { index, facets, add: () => void stored.push(facetsOf(stored.length + 1)) };
}

test('keeps the facets of every alert, however many there are', async () => {
  const { index } = indexOver(5_000);
  await index.refresh();
  const { columns } = index;
  for (const id of [1, 1_024, 1_025, 2_305, 5_000]) {
    const { score, usdc, createdAt, won } = facetsOf(id);
    expect([
      columns.scores[id - 1],
      columns.usdc[id - 1],
      columns.createdAt[id - 1],
      columns.won(id),
    ]).toEqual([score, usdc, createdAt, won]);
  }
  expect(new Walk(index, { isResolved: true }).ids.length).toBe(3_334);
});

test('reads each alert once, and calls that come together share a read that begins after them', async () => {
  const { index, facets, add } = indexOver(3_000);
  await Promise.all([index.refresh(), index.refresh()]);
  expect(facets.mock.calls.map(([after]) => after)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500, 3_000]);
  const early = index.refresh();
  add();
  await Promise.all([early, index.refresh()]);
  expect(index.columns.length).toBe(3_001);
});

test('a read that failed is made again by the next call', async () => {
  const { index, facets } = indexOver(3_000);
  facets.mockResolvedValueOnce(
    [facetsOf(1)].concat(Array.from({ length: 499 }, (_, at) => facetsOf(at + 2))),
  );
  facets.mockRejectedValueOnce(new Error('unavailable'));
  await expect(index.refresh()).rejects.toThrow('unavailable');
  await index.refresh();
  expect(index.columns.length).toBe(3_000);
});
