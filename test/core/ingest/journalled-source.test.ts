import { describe, expect, test, vi } from 'vitest';
import { type Lease, LeaseLost } from '../../../src/core/base/lease/lease.ts';
import { createJournalledSource } from '../../../src/core/ingest/journalled-source.ts';
import type { LiveRow, SourceRow, SourceStatus } from '../../../src/core/trades/source/source.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { removedRow } from '../../../src/infra/market/polymarket/trades/trade-line.ts';
import { createFakeClock } from '../../support/clock.ts';
import { takeLease } from '../../support/lease.ts';
import { liveFeedOf, liveRow, nothingKnown, parseLive } from '../../support/live-rows.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

const HOUR = 3_600_000;

async function fixture() {
  const database = await openDatabase('sqlite::memory:');
  const lease = await takeLease(database);
  const clock = createFakeClock(START + HOUR);
  const logger = createRecordingLogger();
  const open = (feed: readonly (readonly LiveRow[])[], offset: number | null = null, isRebuild = false) =>
    createJournalledSource({
      ...{ feed: liveFeedOf(feed), journal: database.journal, parse: parseLive, isRebuild },
      checkpoint: offset === null ? null : { offset, identity: 'journal', mapping: null },
      ...{ keepMs: HOUR, clock, logger },
    });
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
  return { database, journal: database.journal, lease, clock, open, warnings };
}

type Open = Awaited<ReturnType<typeof fixture>>['open'];

async function take(source: ReturnType<Open>, lease: Lease): Promise<(readonly SourceRow[])[]> {
  const taken: (readonly SourceRow[])[] = [];
  const run = { lease, knowledge: nothingKnown };
  for await (const batch of source.batches(new AbortController().signal, run)) taken.push(batch);
  return taken;
}

const orderOf = (fills: number, second: number) =>
  Array.from({ length: fills }, (_, n) =>
    liveRow(10_000 + n, { proxyWallet: `0x${'b'.repeat(40)}`, timestamp: START / 1_000 + second }),
  );

const closing: LiveRow = { row: { kind: 'close', at: START }, line: `{"close":${START / 1_000}}` };

const offsets = (batches: readonly (readonly SourceRow[])[]) => batches.flat().map(({ offset }) => offset);

describe('a journalled source', () => {
  test('writes each batch down before it hands it over (journal)', async () => {
    const { open, journal, lease, clock } = await fixture();
    const rows = [liveRow(1), liveRow(2), liveRow(3)];
    const source = open([rows.slice(0, 2), [], rows.slice(2)]);
    const ends: number[] = [];
    const taken: SourceRow[] = [];
    const run = { lease, knowledge: nothingKnown };
    for await (const batch of source.batches(new AbortController().signal, run)) {
      ends.push((await journal.bounds()).next);
      taken.push(...batch);
      await clock.advance(1_000);
    }
    expect(ends).toEqual([3, 4]);
    const at = START + HOUR;
    expect(taken).toEqual([
      { row: rows[0]?.row, offset: 1, acceptedAt: at },
      { row: rows[1]?.row, offset: 2, acceptedAt: at },
      { row: rows[2]?.row, offset: 3, acceptedAt: at + 1_000 },
    ]);
    expect(source.checkpoint(3)).toEqual({ offset: 3, identity: 'journal', mapping: null });
  });

  test('started again it passes on the rows after its checkpoint unchanged, then the feed’s', async () => {
    const { open, lease, clock } = await fixture();
    const first = await take(open([[liveRow(1), liveRow(2), liveRow(3)], [liveRow(4)]]), lease);
    await clock.advance(HOUR);
    const again = await take(open([[liveRow(5)]], 2), lease);
    expect(again.flat().slice(0, 2)).toEqual(first.flat().slice(2));
    expect(offsets(again)).toEqual([3, 4, 5]);
  });

  test('a batch that the journal refuses is not passed on, and ends the run', async () => {
    const { open, database, lease } = await fixture();
    await takeLease(database, 'b');
    const taken = take(open([[liveRow(1)]]), lease);
    await expect(taken).rejects.toThrow(LeaseLost);
    expect(await database.journal.bounds()).toEqual({ oldest: 1, next: 1 });
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => liveRow(n + 1));
  const long = [5_000, 5_001, 5_002, 5_003].map((n) => liveRow(n, { title: 'x'.repeat(1_900_000) }));
  const [first, ...others] = orderOf(3, 3_000) as [LiveRow, LiveRow, LiveRow];

  test.each<[string, readonly LiveRow[], readonly number[]]>([
    ['has more than 2,000 rows', many(4_100), [2_000, 2_000, 100]],
    ['has more than 4 million characters', long, [2, 2]],
    ['has a part of an order', [...many(1_999), ...orderOf(3, 5_000), closing], [1_999, 4]],
    ['has a part of an order, unless it is larger', [...orderOf(2_500, 1_000), closing], [2_000, 501]],
    ['begins with a close row', [...many(2_000), closing], [2_001]],
    ['begins with a trade’s close row', [...many(2_000), liveRow(3_000), closing], [2_000, 2]],
    [
      'has a removed fill without its order',
      [...many(1_998), first, removedRow(first), ...others, closing],
      [1_998, 5],
    ],
  ])('no record of the journal %s', async (_, rows, lengths) => {
    const { open, journal, lease } = await fixture();
    const taken = await take(open([rows]), lease);
    expect(taken.map((batch) => batch.length)).toEqual(lengths);
    expect((await journal.from(1, 10)).map(({ lines }) => lines.length)).toEqual(lengths);
    const again = (await take(open([], 0), lease)).flat();
    expect(again.map(({ row }) => row)).toEqual(taken.flat().map(({ row }) => row));
  });

  test('an order whose rows a crash cut apart is whole again before it is closed', async () => {
    const { open, journal, lease } = await fixture();
    const order = orderOf(2_500, 5_000);
    const write = journal.append.bind(journal);
    const append = vi.spyOn(journal, 'append').mockImplementationOnce(write);
    append.mockRejectedValueOnce(new Error('killed'));
    await expect(take(open([[...order, closing]]), lease)).rejects.toThrow('killed');
    const again = (await take(open([[...order.slice(2_000), closing]], 0), lease)).flat();
    expect(again.map(({ row }) => row)).toEqual([...order, closing].map(({ row }) => row));
    expect(again.map(({ offset }) => offset)).toEqual(Array.from({ length: 2_501 }, (_, n) => n + 1));
  });

  test('behind the oldest stored row it logs a warning, and continues from there', async () => {
    const { open, journal, lease, warnings } = await fixture();
    await take(open([[liveRow(1)], [liveRow(2)], [liveRow(3)]]), lease);
    await journal.prune({ position: 3, acceptedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
    expect(offsets(await take(open([[liveRow(4)]], 1), lease))).toEqual([3, 4]);
    expect(warnings()).toEqual([expect.stringContaining('rows after the snapshot are lost')]);
  });

  test('a journalled row that cannot be read is left out, said, and counts as a position', async () => {
    const { open, journal, lease, warnings } = await fixture();
    const lines = [liveRow(1).line, 'no row', liveRow(3).line];
    await journal.append(lease, { first: 1, acceptedAt: START + HOUR, lines });
    expect(offsets(await take(open([]), lease))).toEqual([1, 3]);
    expect(warnings()).toEqual([expect.stringContaining('unreadable')]);
  });

  test('after a snapshot it drops rows behind it that are older than the retention, and not before', async () => {
    const { open, journal, lease, clock } = await fixture();
    const batches = Array.from({ length: 60 }, (_, n) => [liveRow(n + 1)]);
    const source = open([...batches, [liveRow(61)]]);
    const run = { lease, knowledge: nothingKnown };
    for await (const batch of source.batches(new AbortController().signal, run)) {
      const last = batch.at(-1)?.offset ?? 0;
      if (last === 60) {
        source.forget?.(50);
        await clock.advance(1_000);
        expect((await journal.bounds()).oldest).toBe(1);
        await clock.advance(HOUR);
      }
      if (last !== 61) continue;
      source.forget?.(50);
      await vi.waitFor(async () => {
        await clock.advance(100);
        expect((await journal.bounds()).oldest).toBe(51);
      });
    }
    source.forget?.(61);
    expect((await journal.bounds()).oldest).toBe(51);
  });

  test('a journal that cannot be pruned is a line in the log, and no fault', async () => {
    const { open, journal, lease, warnings } = await fixture();
    vi.spyOn(journal, 'prune').mockRejectedValue(new Error('away'));
    const source = open([[liveRow(1)], [liveRow(2)]]);
    const run = { lease, knowledge: nothingKnown };
    for await (const batch of source.batches(new AbortController().signal, run))
      source.forget?.(batch.at(-1)?.offset ?? 0);
    expect(warnings()).toContainEqual(expect.stringContaining('pruning failed'));
  });
});

describe('a journalled source that rebuilds a state', () => {
  /** A journal of batches of two rows, as an earlier run left it; `read` takes all that a source passes on, with its status. */
  async function rebuildOf(batches: number) {
    const { journal, lease, warnings, open } = await fixture();
    for (let first = 1; first < 1 + batches * 2; first += 2) {
      const lines = [liveRow(first).line, liveRow(first + 1).line];
      await journal.append(lease, { first, acceptedAt: START + HOUR + first, lines });
    }
    async function read(source: ReturnType<Open>) {
      const taken: { rows: readonly SourceRow[]; judgedUpTo: number; status: SourceStatus }[] = [];
      const run = { lease, knowledge: nothingKnown };
      for await (const rows of source.batches(new AbortController().signal, run))
        taken.push({ rows, judgedUpTo: source.judgedUpTo ?? 0, status: source.status() });
      return { taken, offsets: offsets(taken.map(({ rows }) => rows)) };
    }
    const rebuilding = (feed: readonly (readonly LiveRow[])[], offset: number) => open(feed, offset, true);
    return { open: rebuilding, read, journal, warnings };
  }

  test('passes on all stored rows as a feed that catches up, and says up to which an earlier run judged them', async () => {
    const { open, read, warnings } = await rebuildOf(3);
    const { taken, offsets } = await read(open([[liveRow(7)]], 4));

    expect(offsets).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(taken.map(({ judgedUpTo, status }) => [judgedUpTo, status.state, status.progress])).toEqual([
      [4, 'catching_up', 0.5],
      [4, 'playing', null],
      [4, 'playing', null],
      [4, 'playing', null],
    ]);
    expect(warnings()).toEqual([]);
  });

  test('begins where the journal begins, and says from which moment on anything is known', async () => {
    const { open, read, journal, warnings } = await rebuildOf(3);
    await journal.prune({ position: 3, acceptedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
    const opened = open([], 4);

    expect((await read(opened)).offsets).toEqual([3, 4, 5, 6]);
    expect(warnings()).toEqual([expect.stringContaining('positions and threads of older trades are lost')]);
  });

  test('counts nothing as judged that the feed passes on, though the snapshot is ahead of the journal', async () => {
    const { open, read, warnings } = await rebuildOf(1);
    const opened = open([[liveRow(3)]], 70);
    const { taken, offsets } = await read(opened);

    expect(offsets).toEqual([1, 2, 3]);
    expect(taken.at(-1)?.judgedUpTo).toBe(2);
    expect(warnings()[0]).toContain('ahead of the journal');
  });
});
