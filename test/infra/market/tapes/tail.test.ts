import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTail } from '../../../../src/infra/market/tapes/tail.ts';
import {
  checkpointAfter,
  createSourceFixture,
  follow,
  HEADER,
  kindsOf,
  TAPE_START,
  TODAY,
  tempFolder,
  toLines,
  tradeLineOf,
  tradesAt,
  transactionsOf,
  wireMarket,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

const manyTrades = Array.from({ length: 2_000 }, (_, index) => wireTrade({ transactionHash: `0x${index}` }));

describe('a followed tape', () => {
  test('yields what is there and then what is appended, about every 100 ms', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1)]);
    const { source, taken, next } = await follow(file);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2']);
    expect(source).toMatchObject({ name: `tail:${file}`, isLive: true, isComplete: true, mapping: null });
    await appendFile(file, tradeLineOf('0xt3'));
    expect(await next()).toEqual(['0xt1', '0xt2', '0xt3']);
    expect(source.status()).toEqual({ state: 'at_end', progress: 1, historyProgress: null });
  });

  test('waits for a file that is not there yet, and learns its header when it comes', async () => {
    const file = join(await tempFolder(), 'later.jsonl');
    const { source, next } = await follow(file);
    expect(source.status()).toEqual({ state: 'starting', progress: null, historyProgress: null });
    expect(source.isComplete).toBe(false);
    await writeFile(file, toLines([HEADER]) + tradeLineOf('0xt1'));
    expect(await next()).toEqual(['0xt1']);
    expect(source.isComplete).toBe(true);
    expect(source.status().state).toBe('at_end');
  });

  test('a file that is not there is logged once, after a second, and again when it is away later', async () => {
    const file = join(await tempFolder(), 'later.jsonl');
    const { source, next, fixture } = await follow(file);
    const missing = 'tape not found; waiting for it';
    const looks = async (count: number) => {
      for (let look = 0; look < count; look += 1) await next();
    };
    await looks(5);
    expect(fixture.warnings).toEqual([]);
    await looks(20);
    expect(fixture.warnings).toEqual([missing]);
    await writeFile(file, tradeLineOf('0xt1'));
    expect(await next()).toEqual(['0xt1']);
    await rm(file);
    await looks(20);
    expect(fixture.warnings).toEqual([missing, missing]);
    expect(source.status().state).toBe('starting');
    await writeFile(file, tradeLineOf('0xback'));
    expect(await next()).toEqual(['0xt1', '0xback']);
  });

  test.each(['emptied', 'overwritten with less', 'overwritten with more'])(
    'a file %s is read from its start',
    async (how) => {
      const file = await writeTape(tradesAt(0, 1));
      const { next, fixture } = await follow(file);
      if (how === 'emptied') {
        await truncate(file);
        expect(await next()).toEqual(['0xt1', '0xt2']);
        await appendFile(file, tradeLineOf('0xnew'));
      } else {
        const more = how.endsWith('more') ? tradeLineOf('0xnew2') + tradeLineOf('0xnew3') : '';
        await writeFile(file, tradeLineOf('0xnew') + more);
      }
      expect((await next()).slice(0, 3)).toEqual(['0xt1', '0xt2', '0xnew']);
      expect(fixture.dropped).toEqual([]);
    },
  );

  test('a replaced file is read from its start, after what was still written to the old one', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const { next, source } = await follow(file);
    const before = source.checkpoint(0).identity;
    await appendFile(file, tradeLineOf('0xold'));
    await rename(file, `${file}.1`);
    await writeFile(file, tradeLineOf('0xnew1') + tradeLineOf('0xnew2'));
    expect(await next()).toEqual(['0xt1', '0xt2', '0xold', '0xnew1', '0xnew2']);
    expect(source.checkpoint(0).identity).not.toBe(before);
  });

  test('a file that replaces another starts from zero: header, offsets, and no glue to a half line before', async () => {
    const file = await writeTape(tradesAt(0));
    const { taken, next, source, fixture } = await follow(file);
    await appendFile(file, '{"half');
    await next();
    await writeFile(`${file}.new`, toLines([HEADER]) + tradeLineOf('0xnew'));
    await rename(`${file}.new`, file);
    expect(await next()).toEqual(['0xt1', '0xnew']);
    expect(fixture.dropped).toEqual([]);
    expect(source.isComplete).toBe(true);
    expect(taken.at(-1)?.offset).toBe(Buffer.byteLength(toLines([HEADER]) + tradeLineOf('0xnew')));
  });
});

describe('a followed tape after a restart', () => {
  test('continues behind the checkpoint, also in a file that has grown', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1)]);
    const checkpoint = await checkpointAfter(file, 1);
    await appendFile(file, tradeLineOf('0xt3'));
    const { taken, source, fixture } = await follow(file, checkpoint);
    expect(transactionsOf(taken)).toEqual(['0xt2', '0xt3']);
    expect(taken.at(-1)?.offset).toBe(
      Buffer.byteLength(toLines([HEADER, ...tradesAt(0, 1)]) + tradeLineOf('0xt3')),
    );
    expect(source.isComplete).toBe(true);
    expect(fixture.warnings).toEqual([]);
  });

  test('a checkpoint taken before the first look is the one it began with', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 1);
    const source = await openTail({ file, checkpoint }, createSourceFixture());
    expect(source.checkpoint(checkpoint.offset)).toEqual(checkpoint);
  });

  test.each([
    ['was replaced', toLines(tradesAt(5, 6, 7))],
    ['was cut', toLines(tradesAt(0))],
  ])('a file that %s meanwhile is read from its start, and that is said', async (_name, text) => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 2);
    await writeFile(file, text);
    const { taken, fixture } = await follow(file, checkpoint);
    expect(transactionsOf(taken)[0]).toBe('0xt1');
    expect(fixture.warnings).toEqual(['tape replaced by another one; reading it from its start']);
  });

  test('also one in which no line begins at the checkpoint, though its beginning is the same', async () => {
    const file = await writeTape(manyTrades);
    const checkpoint = await checkpointAfter(file, 1_000);
    const bytes = Buffer.from(toLines(manyTrades));
    bytes[checkpoint.offset - 1] = 0x20;
    await writeFile(file, bytes);
    const { taken } = await follow(file, checkpoint);
    expect(transactionsOf(taken)[0]).toBe('0x0');
  });
});

test.each([
  ['packed', () => writeTape([], 'tape.jsonl.gz'), /plain \.jsonl/],
  ['a folder', () => tempFolder(), /tail:.*can be read/],
])('what is %s is refused with what would be right', async (_name, make, refused) => {
  await expect(openTail({ file: await make(), checkpoint: null }, createSourceFixture())).rejects.toThrow(
    refused,
  );
});

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
