import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  checkpointAfter,
  follow,
  kindsOf,
  TAPE_START,
  TODAY,
  toLines,
  tradesAt,
  wireMarket,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

describe('a followed tape closes', () => {
  test('what is pending 2 s after the last trade, though no row follows, and once', async () => {
    const { taken, pass } = await follow(await writeTape(tradesAt(0, 7.5)));
    expect(await pass(1_950)).toEqual(['trade', 'trade']);
    expect(await pass(150)).toEqual(['trade', 'trade', 'close']);
    expect(taken[2]).toEqual({ row: { kind: 'close', at: TAPE_START + 7_000 }, offset: taken[1]?.offset });
    expect(await pass(10_000)).toEqual(['trade', 'trade', 'close']);
  });

  test('not while trades keep coming', async () => {
    const file = await writeTape(tradesAt(0));
    const { pass } = await follow(file);
    for (let n = 0; n < 4; n++) {
      await pass(1_500);
      await appendFile(file, toLines([wireTrade({ transactionHash: `0xnext${n}` })]));
    }
    expect(await pass(1_500)).not.toContain('close');
  });

  test('2 s after the last trade of the newest second, while trades of older seconds trickle in', async () => {
    const file = await writeTape(tradesAt(0, 7));
    const { taken, pass } = await follow(file);
    const trickle = async (second: number) => {
      await appendFile(file, toLines(tradesAt(second)));
      return (await pass(1_500)).length;
    };
    await pass(1_500);
    expect(await trickle(7.5)).toBe(3);
    expect(await trickle(1)).toBe(5);
    expect(kindsOf(taken)).toEqual(['trade', 'trade', 'trade', 'trade', 'close']);
  });

  test.each([
    ['older and older', [6, 5, 4, 3]],
    ['newer and newer, all older than the newest', [1, 2, 3, 4]],
  ])('late trades at most 2 s after the last of their own second: %s', async (_, seconds) => {
    const file = await writeTape(tradesAt(7));
    const { pass } = await follow(file);
    await pass(2_100);
    for (const second of seconds) {
      await appendFile(file, toLines(tradesAt(second)));
      await pass(1_500);
    }
    const late = ['trade', 'trade', 'close'];
    expect(await pass(600)).toEqual(['trade', 'close', ...late, ...late]);
  });

  test('a late order that takes longer to be written only when it is whole', async () => {
    const file = await writeTape(tradesAt(7));
    const { pass } = await follow(file);
    await pass(2_100);
    for (const at of [1, 1.25, 1.5]) {
      await appendFile(file, toLines(tradesAt(at)));
      await pass(1_500);
    }
    expect(await pass(600)).toEqual(['trade', 'close', 'trade', 'trade', 'trade', 'close']);
  });

  test('as usual after a row whose time lies ahead of the clock', async () => {
    const today = (TODAY - TAPE_START) / 1_000;
    const file = await writeTape(tradesAt(today + 600));
    const { pass } = await follow(file);
    await pass(2_100);
    for (const second of [1, 2, 4]) {
      await appendFile(file, toLines(tradesAt(today + second)));
      await pass(1_500);
    }
    expect(await pass(400)).toEqual(['trade', 'close', 'trade', 'trade', 'trade']);
    expect((await pass(300)).at(-1)).toBe('close');
  });

  test('also while rows come that are no trades', async () => {
    const file = await writeTape(tradesAt(0));
    const { pass } = await follow(file);
    await pass(1_500);
    await appendFile(file, toLines([wireMarket()]));
    expect(await pass(700)).toEqual(['trade', 'market', 'close']);
  });

  test.each([
    ['no trade came', [wireMarket()], ['market']],
    ['no trade came, only a removed fill', [wireTrade({ removed: true })], ['removed']],
    ['the tape has closed it itself', [...tradesAt(0), { close: TAPE_START / 1_000 }], ['trade', 'close']],
  ])('nothing where %s', async (_name, rows, kinds) => {
    expect(await (await follow(await writeTape(rows))).pass(5_000)).toEqual(kinds);
  });

  test('what a run before left pending, 2 s after it was resumed, and once', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 2);
    const { source, taken, pass } = await follow(file, checkpoint);
    expect(await pass(1_950)).toEqual([]);
    expect(await pass(5_000)).toEqual(['close']);
    expect(source.checkpoint(taken[0]?.offset ?? 0)).toEqual(checkpoint);
  });

  test('what a run before left pending while the file is away: the checkpoint stays as it was', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 1);
    await rm(file);
    const { source, taken, pass } = await follow(file, checkpoint);
    expect(await pass(2_100)).toEqual(['close']);
    expect(source.checkpoint(taken[0]?.offset ?? 0)).toEqual(checkpoint);
  });

  test('after the file was replaced by one without rows, a checkpoint reads that one from its start', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const { source, taken, pass } = await follow(file);
    const header = toLines([{ tape: { history: 'complete' } }]);
    await writeFile(`${file}.new`, header);
    await rename(`${file}.new`, file);
    expect(await pass(2_100)).toEqual(['trade', 'trade', 'close']);
    expect(source.checkpoint(taken[2]?.offset ?? -1)).toMatchObject({ offset: 0 });
  });
});
