import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { MarketSettlement } from '../../../src/core/alerts/settlement.ts';
import { AlertColumns } from '../../../src/infra/database/archive/alert-columns.ts';
import { ColumnArchive } from '../../../src/infra/database/archive/archive.ts';
import type { ArchiveRow, ArchiveSource } from '../../../src/infra/database/archive/archive-source.ts';
import { KnownFilter } from '../../../src/infra/database/archive/known-filter.ts';
import { Matcher } from '../../../src/infra/database/archive/matcher.ts';
import { TimeSlices } from '../../../src/infra/database/archive/time-slices.ts';
import { settlementOf } from '../../support/alerts.ts';

const PAGE = { page: 1, pageSize: 10 };

function rowOf(id: number, given: Partial<ArchiveRow> = {}): ArchiveRow {
  const facets = { category: 'politics', side: 'BUY', type: 'fresh' } as const;
  return {
    id,
    listing: 'l',
    ...facets,
    score: 50,
    usdc: 1_000,
    entryPrice: 0.5,
    toWinUsdc: 1_000,
    putInUsdc: 1_000,
    supersedes: null,
    won: null,
    ...given,
  };
}

/** A database of alerts on one market, in which another process may resolve it. */
function createSource(count: number) {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index + 1));
  const settlements: MarketSettlement[] = [];
  const within = (after: number, upto: number) => rows.slice(after, upto);
  const source = {
    lastId: async () => rows.length,
    lastIdBefore: async (at: number) => (at > 0 ? rows.length : 0),
    concurrency: 1,
    segments: null,
    keyOf: async () => null,
    rows: vi.fn<ArchiveSource['rows']>(async ({ after, upto }) => within(after, upto)),
    listings: async () => [{ key: 'l', marketId: 'm', title: 'will it?', slug: 'will-it' }],
    settled: vi.fn(async () => rows.flatMap(({ id, won }) => (won === null ? [] : [{ id, won }]))),
    ofWallet: vi.fn<ArchiveSource['ofWallet']>(async () => []),
    ofMarket: async () => [],
    ofEvent: async () => [],
    marketsOfEvent: async () => [],
    walletsBetween: vi.fn<ArchiveSource['walletsBetween']>(async () => []),
    members: async () => [],
    load: async () => [],
    loadSummaries: async () => [],
    settlements: {
      put: async () => {},
      get: async () => null,
      some: async () => [],
      after: async (seq: number) => settlements.filter((resolution) => resolution.seq > seq),
      lastSeq: async () => settlements.length,
      newest: async () => [],
      totals: async () => ({ resolved: 0, won: 0 }),
    },
  } satisfies ArchiveSource;
  const resolve = (won: boolean) => {
    for (const [index, row] of rows.entries()) rows[index] = { ...row, won };
    const seq = settlements.length + 1;
    settlements.push(settlementOf({ marketId: 'm', seq, resolved: rows.length }));
  };
  const append = () => void rows.push(rowOf(rows.length + 1));
  const archive = new ColumnArchive(source, { blockSize: 4 });
  const totalOf = async (isResolved: boolean) => (await archive.search({ isResolved }, PAGE)).total;
  return { source, archive, resolve, append, totalOf };
}

test('each alert is read once: of later ones only those that were added', async () => {
  const { source, append, totalOf } = createSource(10);
  await Promise.all([totalOf(false), totalOf(false)]);
  append();
  expect(await totalOf(false)).toBe(11);
  const read = source.rows.mock.calls.map(([{ after, upto }]) => [after, upto]);
  expect(read).toEqual([
    [8, 10],
    [4, 8],
    [0, 4],
    [10, 11],
  ]);
});

test('a market that is resolved while its alerts are being read has its outcome', async () => {
  const { source, archive, resolve, totalOf } = createSource(4);
  const { promise: reading, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const rows = source.rows.getMockImplementation() as ArchiveSource['rows'];
  source.rows.mockImplementationOnce(async (range) => {
    const before = await rows(range);
    begin();
    await gate;
    return before;
  });
  const first = totalOf(true);
  await reading;
  resolve(true);
  const outcomes = archive.preview({ since: 0, until: -1 }, { newest: 1 });
  await setImmediate();
  open();
  await outcomes;
  expect(await first).toBe(4);
});

test('a read that failed is repeated by the next search', async () => {
  const { source, resolve, totalOf } = createSource(5);
  const fault = () => Promise.reject(new Error('no answer'));
  source.rows.mockImplementationOnce(fault);
  await expect(totalOf(false)).rejects.toThrow('no answer');
  expect(await totalOf(false)).toBe(5);
  resolve(true);
  source.settled.mockImplementationOnce(fault);
  await expect(totalOf(true)).rejects.toThrow('no answer');
  expect(await totalOf(true)).toBe(5);
});

test('an alert whose listing is missing is found by everything but a text', async () => {
  const { source, archive, totalOf } = createSource(2);
  source.rows.mockImplementationOnce(async () => [rowOf(1), rowOf(2, { listing: 'other' })]);
  expect(await totalOf(false)).toBe(2);
  expect((await archive.search({ search: 'will' }, PAGE)).total).toBe(1);
});

test('a filter counts each block once, in slices, and again only those that changed', async () => {
  const columns = new AlertColumns(10);
  for (let id = 1; id <= 95; id += 1) columns.append(rowOf(id, { score: id }), 0);
  const matcher = new Matcher({ minScore: 50 }, columns);
  const [count, visit] = [vi.spyOn(matcher, 'count'), vi.spyOn(matcher, 'forEach')];
  const known = new KnownFilter(columns, matcher);
  const pause = vi.fn(async () => {});
  const find = (skip: number) =>
    known.find({ after: 0, upto: 95 }, { skip, limit: 3 }, { pause } as unknown as TimeSlices);

  expect(await find(0)).toEqual({ total: 46, ids: [95, 94, 93] });
  expect([count.mock.calls.length, pause.mock.calls.length]).toEqual([10, 10]);
  expect(await find(44)).toEqual({ total: 46, ids: [51, 50] });
  expect(count).toHaveBeenCalledTimes(10);
  columns.setWon(15, true);
  visit.mockClear();
  expect(await find(4)).toEqual({ total: 46, ids: [91, 90, 89] });
  expect(count).toHaveBeenCalledTimes(11);
  // The blocks that hold the page, and no others.
  expect(visit.mock.calls.map(([{ number }]) => number)).toEqual([9, 8]);
});

test('a long work lets other work run after a millisecond, and not before', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  let hasRun = false;
  void setImmediate().then(() => {
    hasRun = true;
  });
  const slices = new TimeSlices();
  now.mockReturnValue(0.9);
  await slices.pause();
  expect(hasRun).toBe(false);
  now.mockReturnValue(1);
  await slices.pause();
  expect(hasRun).toBe(true);
});
