import { beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { ColumnArchive } from '../../../src/infra/database/archive/archive.ts';
import { createArchiveSource } from '../../../src/infra/database/archive/archive-source.ts';
import { ALERTS, SEGMENT_RESULTS, SEGMENTS } from '../../../src/infra/database/stores/alert-rows.ts';
import type { OpenCollection } from '../../../src/infra/database/stores/collection.ts';
import { alertOf, settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const PAGE = { page: 1, pageSize: 20 };

onEachDatabase('column segments', (fixture) => {
  let open: OpenCollection;
  let last = 0;
  beforeEach(async () => {
    open = await fixture.collections();
    last = 0;
  });

  /** Alerts on three markets in turn. */
  async function append(count: number): Promise<void> {
    for (const end = last + count; last < end; ) {
      last += 1;
      const marketId = `m${last % 3}`;
      await fixture.database.alerts.append(
        alertOf({ id: last, marketId, eventTitle: `Question ${marketId}`, side: last % 2 ? 'BUY' : 'SELL' }),
      );
    }
  }

  async function settle(marketId: string, seq: number, payout: 0 | 1): Promise<void> {
    const { alerts, settlements } = fixture.database;
    await alerts.resolveMarket(marketId, () => ({ payout, won: payout === 1, profitUsdc: 1 }));
    await settlements.put(settlementOf({ marketId, seq, resolved: 1 }));
  }

  /** What a process has in memory, in segments of four alerts. */
  function start(write: OpenCollection | null = open) {
    const source = createArchiveSource(open, 2, write);
    const rows = vi.fn(source.rows);
    const archive = new ColumnArchive({ ...source, rows }, { blockSize: 2, blocksPerSegment: 2 });
    const answers = async () => {
      return Promise.all([
        archive.search({ side: 'BUY' }, PAGE),
        archive.search({ search: 'question m1' }, PAGE),
        archive.search({ search: 'question m2' }, PAGE),
        archive.search({ isResolved: true }, PAGE),
        archive.preview({ since: START, until: START + DAY_MS }, { newest: 3 }),
      ]);
    };
    const idsRead = () => rows.mock.calls.map(([{ after, upto }]) => [after, upto]);
    return { archive, answers, idsRead };
  }

  /** Starts a process, and waits until it has stored as many segments. */
  async function store(count: number): Promise<void> {
    const { answers } = start();
    await answers();
    await vi.waitFor(async () => expect(await open(SEGMENTS).count()).toBe(count));
  }

  async function expectSame(): Promise<ReturnType<typeof start>> {
    const [stored, read] = [start(), start(null)];
    expect(await stored.answers()).toEqual(await read.answers());
    return stored;
  }

  test('a start reads the stored columns, and alerts that no segment has', async () => {
    await append(13);
    await store(3);
    await append(1);
    expect((await expectSame()).idsRead()).toEqual([[12, 14]]);
  });

  test('a start shows what was settled and corrected since the columns were stored', async () => {
    await append(12);
    await settle('m0', 1, 1);
    await store(3);
    await settle('m0', 2, 0);
    await settle('m1', 3, 1);
    const { answers } = await expectSame();
    const [, , , resolved, { won }] = await answers();
    expect([resolved.total, won]).toEqual([8, 4]);
  });

  test.each([
    { damage: 'changed columns', change: (row: Stored) => ({ ...row, columns: flipped(row.columns) }) },
    { damage: 'no columns', change: (row: Stored) => ({ ...row, columns: new Uint8Array(0) }) },
  ])('a segment with $damage is read from the alerts, and stored again', async ({ change }) => {
    await append(12);
    await store(3);
    const before = await open(SEGMENTS).get(1);
    await open(SEGMENTS).put(change(before as Stored));
    expect((await expectSame()).idsRead().toSorted()).toEqual([
      [4, 6],
      [6, 8],
    ]);
    expect((await expectSame()).idsRead()).toEqual([]);
  });

  test('a segment without its results is read from the alerts, and one of other alerts', async () => {
    await append(12);
    await store(3);
    await open(SEGMENT_RESULTS).delete({ number: 0 });
    await open(ALERTS).update({ id: 12 }, { set: { key: 'another' } });
    expect((await expectSame()).idsRead()).toEqual([
      [2, 4],
      [0, 2],
      [10, 12],
      [8, 10],
    ]);
  });

  test('a failure to store columns is reported once, and searches go on', async () => {
    await append(8);
    const source = createArchiveSource(open, 2, open);
    Object.assign(source.segments?.results ?? {}, { put: () => Promise.reject(new Error('disk full')) });
    const onStoreFailed = vi.fn();
    const archive = new ColumnArchive(source, { blockSize: 2, blocksPerSegment: 2, onStoreFailed });
    for (const _ of [1, 2]) expect((await archive.search({ side: 'BUY' }, PAGE)).total).toBe(4);
    await archive.close();
    expect(onStoreFailed.mock.calls.map(String)).toEqual(['Error: disk full']);
  });
});

interface Stored {
  readonly number: number;
  readonly columns: Uint8Array;
}

function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => (index === 7 ? byte ^ 1 : byte));
}
