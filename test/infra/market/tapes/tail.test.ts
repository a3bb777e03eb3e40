import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTail } from '../../../../src/infra/market/tapes/tail.ts';
import {
  checkpointAfter,
  createSourceFixture,
  follow,
  tempFolder,
  toLines,
  tradesAt,
  transactionsOf,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

const HEADER = { tape: { history: 'complete' } };
const trade = (transactionHash: string) => toLines([wireTrade({ transactionHash })]);

const manyTrades = Array.from({ length: 2_000 }, (_, index) => wireTrade({ transactionHash: `0x${index}` }));

describe('a followed tape', () => {
  test('yields what is there and then what is appended, about every 100 ms', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1)]);
    const { source, taken, next } = await follow(file);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2']);
    expect(source).toMatchObject({ name: `tail:${file}`, isLive: true, isComplete: true, mapping: null });
    await appendFile(file, trade('0xt3'));
    expect(await next()).toEqual(['0xt1', '0xt2', '0xt3']);
    expect(source.status()).toEqual({ state: 'at_end', progress: 1, historyProgress: null });
  });

  test('waits for a file that is not there yet, and learns its header when it comes', async () => {
    const file = join(await tempFolder(), 'later.jsonl');
    const { source, next } = await follow(file);
    expect(source.status()).toEqual({ state: 'starting', progress: null, historyProgress: null });
    expect(source.isComplete).toBe(false);
    await writeFile(file, toLines([HEADER]) + trade('0xt1'));
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
    await writeFile(file, trade('0xt1'));
    expect(await next()).toEqual(['0xt1']);
    await rm(file);
    await looks(20);
    expect(fixture.warnings).toEqual([missing, missing]);
    expect(source.status().state).toBe('starting');
    await writeFile(file, trade('0xback'));
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
        await appendFile(file, trade('0xnew'));
      } else {
        const more = how.endsWith('more') ? trade('0xnew2') + trade('0xnew3') : '';
        await writeFile(file, trade('0xnew') + more);
      }
      expect((await next()).slice(0, 3)).toEqual(['0xt1', '0xt2', '0xnew']);
      expect(fixture.dropped).toEqual([]);
    },
  );

  test('a replaced file is read from its start, after what was still written to the old one', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const { next, source } = await follow(file);
    const before = source.checkpoint(0).identity;
    await appendFile(file, trade('0xold'));
    await rename(file, `${file}.1`);
    await writeFile(file, trade('0xnew1') + trade('0xnew2'));
    expect(await next()).toEqual(['0xt1', '0xt2', '0xold', '0xnew1', '0xnew2']);
    expect(source.checkpoint(0).identity).not.toBe(before);
  });

  test('a file that replaces another starts from zero: header, offsets, and no glue to a half line before', async () => {
    const file = await writeTape(tradesAt(0));
    const { taken, next, source, fixture } = await follow(file);
    await appendFile(file, '{"half');
    await next();
    await writeFile(`${file}.new`, toLines([HEADER]) + trade('0xnew'));
    await rename(`${file}.new`, file);
    expect(await next()).toEqual(['0xt1', '0xnew']);
    expect(fixture.dropped).toEqual([]);
    expect(source.isComplete).toBe(true);
    expect(taken.at(-1)?.offset).toBe(Buffer.byteLength(toLines([HEADER]) + trade('0xnew')));
  });

  test('reads in pieces what was appended in one go', async () => {
    const file = await writeTape([]);
    const { taken, next } = await follow(file);
    await appendFile(file, toLines(manyTrades));
    expect(await next()).toEqual(manyTrades.map(({ transactionHash }) => transactionHash));
    expect(taken.at(-1)?.offset).toBe(Buffer.byteLength(toLines(manyTrades)));
  });
});

describe('a followed tape after a restart', () => {
  test('continues behind the checkpoint, also in a file that has grown', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1)]);
    const checkpoint = await checkpointAfter(file, 1);
    await appendFile(file, trade('0xt3'));
    const { taken, source, fixture } = await follow(file, checkpoint);
    expect(transactionsOf(taken)).toEqual(['0xt2', '0xt3']);
    expect(taken.at(-1)?.offset).toBe(
      Buffer.byteLength(toLines([HEADER, ...tradesAt(0, 1)]) + trade('0xt3')),
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
