import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Checkpoint, TimeMapping } from '../../../../src/core/trades/source/source.ts';
import { isHistoryTime, publishedTime } from '../../../../src/core/trades/source/time-mapping.ts';
import { openReplay, type ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
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

const asItComes = { speed: 0, shift: null, checkpoint: null } as const;

function open(file: string, options: Partial<ReplayOptions> = {}, fixture = createSourceFixture()) {
  return openReplay({ ...asItComes, file, ...options }, fixture);
}

describe('a replay', () => {
  test.each(['tape.jsonl', 'tape.jsonl.gz'])(
    'yields the rows of %s in their order and ends',
    async (name) => {
      const rows = [{ tape: { history: 'complete' } }, wireMarket(), ...tradesAt(1, 2, 3)];
      const file = await writeTape(rows, name);
      const source = await open(file);
      const taken = await readAll(source);
      expect(taken.map(({ row }) => row.kind)).toEqual(['market', 'trade', 'trade', 'trade', 'close']);
      expect(source).toMatchObject({ name: `replay:${file}`, isComplete: true, isLive: false });
      expect(source.status()).toEqual({ state: 'finished', progress: 1, historyProgress: null });
    },
  );

  test('gives the time at which a row of a recording was accepted, where the row has a valid one (docs/tapes.md)', async () => {
    const accepted = [TODAY - 5, 'soon', null, 12, TODAY + 1e9, undefined];
    const rows = accepted.map((acceptedAt, n) => wireTrade({ transactionHash: `0x${n}`, acceptedAt }));
    const file = await writeTape(rows);
    const taken = withoutClose(await readAll(await open(file)));
    expect(taken.map(({ acceptedAt }) => acceptedAt)).toEqual([TODAY - 5, ...Array(5).fill(undefined)]);
  });

  test('counts a wallet’s history as partial without a header', async () => {
    expect((await open(await writeTape(tradesAt(1)))).isComplete).toBe(false);
  });

  test('drops and counts bad rows, a header elsewhere among them, and continues; blank lines are not counted', async () => {
    const file = join(await tempFolder(), 'tape.jsonl');
    const [first, second] = tradesAt(1, 2).map((row) => toLines([row]));
    await writeFile(
      file,
      `${first}no json\n\n  \r\n{"tape":{}}\n${'x'.repeat(1_100_000)}\n${second}{"side":"B`,
    );
    const fixture = createSourceFixture();
    expect(transactionsOf(await readAll(await open(file, {}, fixture)))).toEqual(['0xt1', '0xt2']);
    expect(fixture.dropped).toEqual(['not_json', 'unknown_kind', 'too_long', 'not_json']);
    expect(fixture.warnings).toHaveLength(3);
  });

  test('plays a tape that begins with invalid rows, and an empty one', async () => {
    const file = await writeTape([wireTrade({ price: 7 }), wireTrade({ size: -1 })]);
    expect(withoutClose(await readAll(await open(file)))).toEqual([]);
    expect(withoutClose(await readAll(await open(await writeTape([]))))).toEqual([]);
  });

  test.each(['tape.jsonl', 'tape.jsonl.gz'])('resumes in %s behind any row', async (name) => {
    const file = await writeTape([{ tape: { history: 'complete' } }, ...tradesAt(1, 2, 3, 4)], name);
    const source = await open(file);
    for (const { offset } of await readAll(source)) {
      const resumed = await open(file, { checkpoint: jsonOf(source.checkpoint(offset)) });
      const expected = ['0xt1', '0xt2', '0xt3', '0xt4'].slice((await indexOf(file, offset)) + 1);
      expect(transactionsOf(await readAll(resumed))).toEqual(expected);
      expect(resumed).toMatchObject({ isComplete: true, mapping: source.mapping });
    }
  });

  test('accepts no header behind its first line, nor after a restart', async () => {
    const file = await writeTape([...tradesAt(1), { tape: { history: 'complete' } }, ...tradesAt(2)]);
    const source = await open(file);
    const first = (await readAll(source))[0]?.offset ?? 0;
    const fixture = createSourceFixture();
    const resumed = await open(file, { checkpoint: source.checkpoint(first) }, fixture);
    expect(transactionsOf(await readAll(resumed))).toHaveLength(1);
    expect(fixture.dropped).toEqual(['unknown_kind']);
  });

  test('starts over, and says so, when another tape lies under the name', async () => {
    const source = await open(await writeTape(tradesAt(1, 2)), { shift: 'now' });
    const fixture = createSourceFixture(TODAY + 1_000);
    const checkpoint = source.checkpoint(200);
    const other = await open(await writeTape(tradesAt(11, 12)), { shift: 'now', checkpoint }, fixture);
    expect(transactionsOf(await readAll(other))).toHaveLength(2);
    expect(other.mapping?.origin).toBe(TODAY + 1_000);
    expect(other.checkpoint(0).identity).not.toBe(checkpoint.identity);
    expect(fixture.warnings).toEqual(['tape replaced by another one; playing it from its start']);
  });

  test('a truncated file is read from its start', async () => {
    const [first, second] = tradesAt(1, 2);
    const file = await writeTape([first, second]);
    const source = await open(file);
    const checkpoint = { ...source.checkpoint(10_000), identity: (await open(file)).checkpoint(0).identity };
    expect(transactionsOf(await readAll(await open(file, { checkpoint })))).toHaveLength(2);
  });

  test('a tape that has grown is the same tape', async () => {
    const file = await writeTape(tradesAt(1, 2));
    const source = await open(file);
    const last = (await readAll(source)).at(-1)?.offset ?? 0;
    await writeFile(file, toLines(tradesAt(1, 2, 3)));
    const resumed = await open(file, { checkpoint: source.checkpoint(last) });
    expect(transactionsOf(await readAll(resumed))).toEqual(['0xt3']);
  });

  test('of a missing file is refused with its name and what would be right', async () => {
    const file = join(await tempFolder(), 'none.jsonl');
    await expect(open(file)).rejects.toThrow(/replay:.*none\.jsonl: there is no such file; expected a tape/);
    await expect(open(await tempFolder())).rejects.toThrow(/that is no file; expected a tape/);
  });

  test('with a speed that does not go with its shift is refused', async () => {
    await expect(open(await writeTape([]), { speed: 0, shift: TAPE_START })).rejects.toThrow(/speed above 0/);
  });
});

describe('REPLAY_SHIFT=now: one constant is added so that the last row is now', () => {
  test('the largest time of the tape is published now, none later', async () => {
    const file = await writeTape([...tradesAt(0, 60, 30), 'no row', wireMarket({ at: 5 })]);
    const { mapping } = await open(file, { shift: 'now' });
    expect(mapping).toEqual({ pivot: TAPE_START + 60_000, origin: TODAY, speed: 0, hasHistory: false });
    expect(publishedTime(mapping as TimeMapping, TAPE_START)).toBe(TODAY - 60_000);
  });

  test('the mapping is computed once: a restart keeps it', async () => {
    const file = await writeTape(tradesAt(0, 60));
    const source = await open(file, { shift: 'now' });
    const fixture = createSourceFixture(TODAY + 86_400_000);
    const resumed = await open(file, { shift: 'now', checkpoint: jsonOf(source.checkpoint(0)) }, fixture);
    expect(resumed.mapping).toEqual(source.mapping);
    expect(fixture.warnings).toEqual([]);
  });

  test('a tape without any time can be moved too', async () => {
    expect(await readAll(await open(await writeTape([]), { shift: 'now' }))).toEqual([]);
  });
});

describe('no shift', () => {
  test('at speed 0 publishes the tape’s own times immediately', async () => {
    const source = await open(await writeTape(tradesAt(0, 60)));
    expect(publishedTime(source.mapping as TimeMapping, TAPE_START + 1)).toBe(TAPE_START + 1);
    expect(isHistoryTime(source.mapping as TimeMapping, TAPE_START)).toBe(false);
    expect(transactionsOf(await readAll(source))).toHaveLength(2);
  });

  test('at another speed keeps the tape’s own times but plays at that pace', async () => {
    const fixture = createSourceFixture();
    const source = await open(await writeTape(tradesAt(0, 20, 60)), { speed: 10 }, fixture);
    expect(publishedTime(source.mapping as TimeMapping, TAPE_START)).toBe(TAPE_START);
    const { taken, done } = startReading(source);
    const seen: number[][] = [];
    for (let second = 0; second < 6; second++) {
      await fixture.clock.asleep();
      seen.push([second, transactionsOf(taken).length]);
      await fixture.clock.advance(1_000);
    }
    await done;
    expect(seen).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 2],
      [5, 2],
    ]);
    expect(transactionsOf(taken)).toHaveLength(3);
  });

  test('the pace is kept over a restart: what became due meanwhile is passed on immediately', async () => {
    const fixture = createSourceFixture();
    const file = await writeTape(tradesAt(0, 20, 60));
    const source = await open(file, { speed: 10 }, fixture);
    const { taken, stop, done } = startReading(source);
    await fixture.clock.asleep();
    const checkpoint = jsonOf(source.checkpoint(taken[0]?.offset ?? 0));
    stop();
    await done;
    await fixture.clock.advance(3_000);
    const resumed = startReading(await open(file, { speed: 10, checkpoint }, fixture));
    await fixture.clock.asleep();
    expect(transactionsOf(resumed.taken)).toEqual(['0xt2']);
    await fixture.clock.advance(3_000);
    await resumed.done;
    expect(transactionsOf(resumed.taken)).toEqual(['0xt2', '0xt3']);
  });
});

/** What a store gives back of it. */
function jsonOf(checkpoint: Checkpoint): Checkpoint {
  return JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;
}

async function indexOf(file: string, offset: number): Promise<number> {
  const rows = await readAll(await open(file));
  return rows.findIndex((row) => row.offset === offset);
}
