import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isHistoryTime, publishedTime, type TimeMapping } from '../../../../src/core/trades/source/source.ts';
import {
  createSourceFixture,
  HEADER,
  kindsOf,
  openTape,
  play,
  readAll,
  stored,
  TAPE_START,
  TODAY,
  tempFolder,
  toLines,
  tradesAt,
  transactionsOf,
  wireMarket,
  wireTrade,
  withoutClose,
  writeTape,
} from './source-fixture.ts';

describe('a replay', () => {
  test.each(['tape.jsonl', 'tape.jsonl.gz'])(
    'yields the rows of %s in their order and ends',
    async (name) => {
      const file = await writeTape([HEADER, wireMarket(), ...tradesAt(1, 2, 3)], name);
      const source = await openTape(file);
      expect(kindsOf(await readAll(source))).toEqual(['market', 'trade', 'trade', 'trade', 'close']);
      expect(source).toMatchObject({ name: `replay:${file}`, isComplete: true, isLive: false });
      expect(source.status()).toEqual({ state: 'finished', progress: 1, historyProgress: null });
    },
  );

  test('gives the time at which a row of a recording was accepted, where the row has a valid one (docs/tapes.md)', async () => {
    const accepted = [TODAY - 5, 'soon', null, 12, TODAY + 1e9, undefined];
    const rows = accepted.map((acceptedAt, n) => wireTrade({ transactionHash: `0x${n}`, acceptedAt }));
    const taken = withoutClose(await readAll(await openTape(await writeTape(rows))));
    expect(taken.map(({ acceptedAt }) => acceptedAt)).toEqual([TODAY - 5, ...Array(5).fill(undefined)]);
  });

  test('drops and counts bad rows, a header elsewhere among them, and continues; blank lines are not counted', async () => {
    const file = join(await tempFolder(), 'tape.jsonl');
    const [first, second] = tradesAt(1, 2).map((row) => toLines([row]));
    const long = 'x'.repeat(1_100_000);
    await writeFile(file, `${first}no json\n\n  \r\n{"tape":{}}\n${long}\n${second}{"side":"B`);
    const fixture = createSourceFixture();
    expect(transactionsOf(await readAll(await openTape(file, {}, fixture)))).toEqual(['0xt1', '0xt2']);
    expect(fixture.dropped).toEqual(['not_json', 'unknown_kind', 'too_long', 'not_json']);
    expect(fixture.warnings).toHaveLength(3);
  });

  test('plays a tape that begins with invalid rows, and an empty one', async () => {
    for (const rows of [[wireTrade({ price: 7 }), wireTrade({ size: -1 })], []])
      expect(await readAll(await openTape(await writeTape(rows), { shift: 'now' }))).toEqual([]);
  });

  test.each(['tape.jsonl', 'tape.jsonl.gz'])('resumes in %s behind any row', async (name) => {
    const file = await writeTape([HEADER, ...tradesAt(1, 2, 3, 4)], name);
    const source = await openTape(file);
    const all = await readAll(source);
    for (const [index, { offset }] of all.entries()) {
      const resumed = await openTape(file, { checkpoint: stored(source.checkpoint(offset)) });
      expect(transactionsOf(await readAll(resumed))).toEqual(transactionsOf(all.slice(index + 1)));
      expect(resumed).toMatchObject({ isComplete: true, mapping: source.mapping });
    }
  });

  test('accepts no header behind its first line, nor after a restart', async () => {
    const file = await writeTape([...tradesAt(1), HEADER, ...tradesAt(2)]);
    const source = await openTape(file);
    const first = (await readAll(source))[0]?.offset ?? 0;
    const fixture = createSourceFixture();
    const resumed = await openTape(file, { checkpoint: source.checkpoint(first) }, fixture);
    expect(transactionsOf(await readAll(resumed))).toHaveLength(1);
    expect([source.isComplete, resumed.isComplete]).toEqual([false, false]);
    expect(fixture.dropped).toEqual(['unknown_kind']);
  });

  test('starts over, and says so, when another tape lies under the name', async () => {
    const source = await openTape(await writeTape(tradesAt(1, 2)), { shift: 'now' });
    const fixture = createSourceFixture(TODAY + 1_000);
    const checkpoint = source.checkpoint(200);
    const other = await openTape(await writeTape(tradesAt(11, 12)), { shift: 'now', checkpoint }, fixture);
    expect(transactionsOf(await readAll(other))).toHaveLength(2);
    expect(other.mapping?.origin).toBe(TODAY + 1_000);
    expect(other.checkpoint(0).identity).not.toBe(checkpoint.identity);
    expect(fixture.warnings).toEqual(['tape replaced by another one; playing it from its start']);
  });

  test('a truncated file is read from its start', async () => {
    const file = await writeTape(tradesAt(1, 2));
    const checkpoint = (await openTape(file)).checkpoint(10_000);
    expect(transactionsOf(await readAll(await openTape(file, { checkpoint })))).toHaveLength(2);
  });

  test('a tape that has grown is the same tape', async () => {
    const file = await writeTape(tradesAt(1, 2));
    const source = await openTape(file);
    const last = (await readAll(source)).at(-1)?.offset ?? 0;
    await writeFile(file, toLines(tradesAt(1, 2, 3)));
    const resumed = await openTape(file, { checkpoint: source.checkpoint(last) });
    expect(transactionsOf(await readAll(resumed))).toEqual(['0xt3']);
  });

  test('of a missing file is refused with its name and what would be right', async () => {
    const folder = await tempFolder();
    const refused = /replay:.*none\.jsonl: there is no such file; expected a tape/;
    await expect(openTape(join(folder, 'none.jsonl'))).rejects.toThrow(refused);
    await expect(openTape(folder)).rejects.toThrow(/that is not a file; expected a tape/);
  });
});

describe('REPLAY_SHIFT=now: one constant is added so that the last row is now', () => {
  test('the largest time of the tape is published now, none later; a restart keeps the mapping', async () => {
    const file = await writeTape([...tradesAt(0, 60, 30), 'no row', wireMarket({ at: 5 })]);
    const source = await openTape(file, { shift: 'now' });
    expect(source.mapping).toEqual({
      pivot: TAPE_START + 60_000,
      origin: TODAY,
      speed: 0,
      hasHistory: false,
    });
    expect(publishedTime(source.mapping as TimeMapping, TAPE_START)).toBe(TODAY - 60_000);
    const fixture = createSourceFixture(TODAY + 86_400_000);
    const checkpoint = stored(source.checkpoint(0));
    expect((await openTape(file, { shift: 'now', checkpoint }, fixture)).mapping).toEqual(source.mapping);
    expect(fixture.warnings).toEqual([]);
  });
});

describe('no shift', () => {
  test('at speed 0 publishes the tape’s own times immediately', async () => {
    const source = await openTape(await writeTape(tradesAt(0, 60)));
    expect(publishedTime(source.mapping as TimeMapping, TAPE_START + 1)).toBe(TAPE_START + 1);
    expect(isHistoryTime(source.mapping as TimeMapping, TAPE_START)).toBe(false);
    expect(transactionsOf(await readAll(source))).toHaveLength(2);
  });

  test('at another speed keeps the tape’s own times but plays at that pace', async () => {
    const { source, taken, clock, done } = await play(tradesAt(0, 20, 60), { speed: 10, shift: null });
    expect(publishedTime(source.mapping as TimeMapping, TAPE_START)).toBe(TAPE_START);
    const seen: number[] = [];
    for (let second = 0; second < 6; second++) {
      await clock.asleep();
      seen.push(transactionsOf(taken).length);
      await clock.advance(1_000);
    }
    await done;
    expect(seen).toEqual([1, 1, 2, 2, 2, 2]);
    expect(transactionsOf(taken)).toHaveLength(3);
  });

  test('what is left out takes no time, also after a restart that was not told of it', async () => {
    const fixture = createSourceFixture();
    const file = await writeTape(tradesAt(0, 20, 3_000, 3_600, 3_620));
    const skips = [{ from: TAPE_START + 20_000, until: TAPE_START + 3_600_000 }];
    const { source, taken, stop, done } = await play(file, { speed: 10, skips }, fixture);
    await fixture.clock.advance(1_999);
    expect(transactionsOf(taken)).toEqual(['0xt1']);
    await fixture.clock.advance(1);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3', '0xt4']);
    const checkpoint = stored(source.checkpoint(taken[0]?.offset ?? 0));
    stop();
    await done;
    const resumed = await play(file, { speed: 10, checkpoint }, fixture);
    expect(transactionsOf(resumed.taken)).toEqual(['0xt2', '0xt3', '0xt4']);
    await fixture.clock.advance(2_000);
    await resumed.done;
    expect(transactionsOf(resumed.taken)).toEqual(['0xt2', '0xt3', '0xt4', '0xt5']);
    expect(resumed.source.mapping).toEqual(source.mapping);
  });
});

describe('speed and shift', () => {
  const headStartMs = 300_000;

  test.each([
    [{ speed: 0, shift: TAPE_START }, /needs a speed above 0/],
    [{ speed: 60, shift: 'now' }, /goes with speed 0 only/],
    [{ speed: -1, shift: null }, /0 or more, got -1/],
    [{ speed: Number.NaN, shift: null }, /0 or more/],
    [{ speed: Number.POSITIVE_INFINITY, shift: null }, /0 or more/],
    [{ speed: 0, shift: 'now', headStartMs }, /head start goes with a moment/],
    [{ speed: 0, shift: null, headStartMs }, /head start goes with a moment/],
  ] as const)('%j is refused with what would be right', async (pace, text) => {
    await expect(openTape(await writeTape([]), pace)).rejects.toThrow(text);
  });
});
