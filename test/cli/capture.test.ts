import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/cli/capture.ts';
import type { LiveRow } from '../../src/core/trades/source/source.ts';
import { marketLine } from '../../src/infra/market/polymarket/markets/market-line.ts';
import { tradeLine } from '../../src/infra/market/polymarket/trades/trade-line.ts';
import { liveRow } from '../support/live-rows.ts';
import { gammaMarket } from '../support/polymarket/gamma-market.ts';
import { upstreamTrade } from '../support/polymarket/upstream-rows.ts';
import { START } from '../support/rows.ts';
import { expected, fixture, leaseOf, MINUTE, readTape, replayed } from './capture-fixture.ts';

describe('tipoff capture', () => {
  test('replayed, the tape gives exactly the journalled rows, each with the moment it was accepted', async () => {
    const { record, file, folder } = await fixture();
    expect(await record()).toEqual({ rows: 6, until: START + 2 * MINUTE, missing: 0, isCut: false });
    expect(await replayed(file)).toEqual(expected(1, 2, 3, 4, 5, 6));
    expect(await readdir(folder)).toEqual(['out.jsonl.gz']);
  });

  test('a line is the journal’s own with acceptedAt at its end, under a header that claims no whole history', async () => {
    const { record, folder } = await fixture(1);
    const file = join(folder, 'plain.jsonl');
    await record({ file });
    const [header, first] = (await readFile(file, 'utf8')).split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({ tape: { history: 'partial' } });
    expect(first).toBe(`${liveRow(1).line.slice(0, -1)},"acceptedAt":${START}}`);
  });

  test('the event of a trade and of a market is on the tape, wherever the live feed had it from', async () => {
    const { record, file, database } = await fixture(0);
    const lease = await leaseOf(database);
    const market = marketLine(gammaMarket());
    const listed = tradeLine({ ...upstreamTrade({ eventSlug: undefined }), event_slug: 'measures' }, START);
    const live = [market as LiveRow, liveRow(1), listed as LiveRow];
    const lines = live.map(({ line }) => line);
    await database.journal.append(lease, { first: 1, acceptedAt: START, lines });
    await record();
    const rows = (await replayed(file)).map(({ row }) => row);
    expect(rows).toEqual(live.map(({ row }) => row));
    expect(rows).toMatchObject([
      { market: { eventSlug: 'event', eventTitle: 'Event' } },
      { trade: { eventSlug: 'measures' } },
      { trade: { eventSlug: 'measures' } },
    ]);
  });

  test('a close row is written as it is, so that a replay closes where the live run did', async () => {
    const { record, folder, database } = await fixture(0);
    const lease = await leaseOf(database);
    const close = JSON.stringify({ close: START / 1_000 + 2 });
    const batches = [
      [liveRow(1).line, liveRow(2).line, close],
      [liveRow(3).line, close],
    ] as const;
    for (const [index, lines] of batches.entries())
      await database.journal.append(lease, { first: index * 3 + 1, acceptedAt: START + index, lines });
    const file = join(folder, 'plain.jsonl');
    expect(await record({ file })).toMatchObject({ rows: 5 });
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect([lines[3], lines[5]]).toEqual(
      [0, 1].map((n) => `${close.slice(0, -1)},"acceptedAt":${START + n}}`),
    );
    const closing = { kind: 'close', at: START + 2_000 };
    expect((await readTape(file)).map(({ row, acceptedAt }) => [row, acceptedAt])).toEqual([
      [liveRow(1).row, START],
      [liveRow(2).row, START],
      [closing, START],
      [liveRow(3).row, START + 1],
      [closing, START + 1],
    ]);
  });

  test('--since begins with the first row that was accepted then or later', async () => {
    const { record, file } = await fixture(9);
    for (let batch = 0; batch < 9; batch += 1) {
      for (const before of [0, 1, MINUTE - 1]) {
        const { rows } = await record({ since: START + batch * MINUTE - before, isForced: true });
        expect(rows).toBe((9 - batch) * 2);
      }
    }
    expect(await replayed(file)).toEqual(expected(17, 18));
    expect((await record({ since: START + 9 * MINUTE, isForced: true })).rows).toBe(0);
  });

  test('replaces a file only with the flag for it', async () => {
    const { record, file } = await fixture();
    await record();
    await expect(record()).rejects.toThrow('--force');
    await record({ isForced: true });
    expect(await replayed(file)).toHaveLength(6);
  });

  test('an empty journal is a sentence that says what to do', async () => {
    const { record, folder } = await fixture(0);
    await expect(record()).rejects.toThrow('MARKET_SOURCE=polymarket');
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    [[], 'Name one tape'],
    [['a.jsonl', 'b.jsonl'], 'Name one tape'],
    [['a.jsonl', '--since', 'now'], '--follow'],
    [['a.jsonl', '--since', 'yesterday'], 'a moment like'],
    [['a.jsonl', '--since', '2026-03-01T12:00:00'], 'a moment like'],
  ])('%j is refused, saying what would be right', async (args, words) => {
    await expect((async () => command.run(args))()).rejects.toThrow(words);
  });
});
