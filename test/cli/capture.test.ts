import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { type CaptureOptions, captureCommand, captureJournal } from '../../src/cli/capture.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { openReplay } from '../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  readAll,
  tempFolder,
  withoutClose,
} from '../infra/market/tapes/source-fixture.ts';
import { takeLease } from '../support/lease.ts';
import { liveRow } from '../support/live-rows.ts';
import { START } from '../support/rows.ts';
import { withMethods } from '../support/with-methods.ts';

const MINUTE = 60_000;

/** A journal of batches of two rows, accepted a minute after each other; and a recorder over it. */
async function fixture(batches = 3) {
  const database = await openDatabase('sqlite::memory:');
  const lease = await takeLease(database);
  const { clock } = createSourceFixture();
  const folder = await tempFolder();
  const said: string[] = [];
  const stop = new AbortController();
  let count = 0;
  const write = async () => {
    const first = count * 2 + 1;
    const lines = [liveRow(first).line, liveRow(first + 1).line];
    const acceptedAt = START + count * MINUTE;
    expect(await database.journal.append(lease, { first, acceptedAt, lines })).toBe(true);
    count += 1;
  };
  for (let n = 0; n < batches; n += 1) await write();
  const file = join(folder, 'out.jsonl.gz');
  let rows = 0;
  const record = (given: Partial<CaptureOptions> = {}, journal = database.journal) =>
    captureJournal(
      {
        journal,
        clock,
        output: new PassThrough(),
        say: (text) => said.push(text),
        onProgress: (done) => {
          rows = done;
        },
      },
      { file, since: 'start', isFollowing: false, isForced: false, ...given },
      stop.signal,
    );
  return { database, clock, folder, file, said, stop, write, record, written: () => rows };
}

const expected = (...numbers: number[]) =>
  numbers.map((n) => ({
    row: liveRow(n).row,
    acceptedAt: START + Math.floor((n - 1) / 2) * MINUTE,
    offset: expect.any(Number),
  }));

async function readTape(file: string) {
  return readAll(
    await openReplay({ file, speed: 0, shift: null, checkpoint: null }, createSourceFixture(START + 1e10)),
  );
}

const replayed = async (file: string) => withoutClose(await readTape(file));

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

  test('a close row is written as it is, so that a replay closes where the live run did', async () => {
    const { record, folder, database } = await fixture(0);
    const lease = await takeLease(database);
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
    await expect((async () => captureCommand.run(args))()).rejects.toThrow(words);
  });

  test('--follow writes what comes later, until it is ended; until then there is no tape of that name, and no second capture', async () => {
    const { record, file, folder, clock, stop, write, written } = await fixture();
    const recording = record({ isFollowing: true, since: 'now' });
    await clock.asleep();
    await write();
    await clock.advance(1_000);
    await vi.waitFor(() => expect(written()).toBe(2));
    expect(await readdir(folder)).toEqual(['out.jsonl.gz.part']);
    await expect(record({ file })).rejects.toThrow('another capture is writing it');
    stop.abort();
    expect(await recording).toMatchObject({ rows: 2, isCut: false });
    expect(await replayed(file)).toEqual(expected(7, 8));
  });

  test('--follow outlives a database that is away for a while', async () => {
    const { record, file, clock, stop, said, database, written } = await fixture(1);
    let isAway = true;
    const from: typeof database.journal.from = (position, limit) =>
      isAway ? Promise.reject(new Error('gone fishing')) : database.journal.from(position, limit);
    const recording = record({ isFollowing: true }, withMethods(database.journal, { from }));
    for (let n = 0; n < 3; n += 1) {
      await clock.asleep();
      await clock.advance(1_000);
    }
    isAway = false;
    await clock.advance(1_000);
    await vi.waitFor(() => expect(written()).toBe(2));
    stop.abort();
    await recording;
    expect(said).toEqual([expect.stringContaining('gone fishing')]);
    expect(await replayed(file)).toEqual(expected(1, 2));
  });

  test('rows that were pruned before they could be written are named and counted', async () => {
    const { record, file, said, database } = await fixture();
    const { journal } = database;
    const bounds = async () => {
      const found = await journal.bounds();
      await journal.prune({ position: 5, acceptedBefore: START + 1e9, limit: 5 });
      return found;
    };
    let asked = 0;
    const isSecond = () => ++asked === 2;
    const result = await record(
      {},
      withMethods(journal, { bounds: () => (isSecond() ? bounds() : journal.bounds()) }),
    );
    expect(result).toMatchObject({ rows: 2, missing: 4 });
    expect(said).toEqual([expect.stringMatching(/^Rows 1 to 4 /)]);
    expect(await replayed(file)).toEqual(expected(5, 6));
  });

  test('cut short it leaves nothing that looks whole', async () => {
    const { record, folder, stop } = await fixture();
    stop.abort();
    expect(await record()).toMatchObject({ isCut: true });
    expect(await readdir(folder)).toEqual([]);
  });
});
