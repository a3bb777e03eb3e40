import { appendFile, rename, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../../src/core/trades/source/source.ts';
import {
  checkpointAfter,
  createSourceFixture,
  follow,
  HEADER,
  openTape,
  play,
  readAll,
  stored,
  TAPE_START,
  TODAY,
  toLines,
  tradeLineOf,
  tradesAt,
  transactionsOf,
  writeTape,
} from './source-fixture.ts';

describe('a replay that rebuilds a state', () => {
  test.each(['tape.jsonl', 'tape.jsonl.gz'])(
    'plays %s from its start, and says up to where it was played',
    async (name) => {
      const file = await writeTape([HEADER, ...tradesAt(1, 2, 3, 4)], name);
      const before = await openTape(file, { shift: 'now' });
      const rows = await readAll(before);
      const checkpoint = stored(before.checkpoint(rows[1]?.offset ?? 0));
      const fixture = createSourceFixture(TODAY + 1_000_000);
      const again = await openTape(file, { shift: 'now', checkpoint, isRebuild: true }, fixture);

      const { offset: judgedUpTo } = checkpoint;
      expect(again).toMatchObject({ judgedUpTo, isComplete: true, mapping: before.mapping });
      expect(await readAll(again)).toEqual(rows);
      expect(again.checkpoint(judgedUpTo)).toEqual(checkpoint);
      expect(fixture.warnings).toEqual([]);
    },
  );

  test('keeps its pace: what was due is due immediately, later rows at their former times', async () => {
    const file = await writeTape(tradesAt(0, 10, 20));
    const before = await openTape(file, { speed: 1, shift: TAPE_START });
    const checkpoint = before.checkpoint(toLines(tradesAt(0, 10)).length);
    const fixture = createSourceFixture(TODAY + 15_000);
    const { source: again, taken, clock } = await play(file, { checkpoint, isRebuild: true }, fixture);

    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2']);
    expect(again.judgedUpTo).toBe(checkpoint.offset);
    await clock.advance(5_000);
    await clock.asleep(0);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3']);
  });

  test.each([
    ['is another one', tradesAt(1, 2), tradesAt(11, 12, 13)],
    ['was cut before the checkpoint', tradesAt(1, 2, 3), tradesAt(1, 2)],
  ])('of a tape that %s says that nothing of it was played', async (_name, earlier, rows) => {
    const { identity } = (await openTape(await writeTape(earlier.slice(0, 1)))).checkpoint(0);
    const checkpoint = { offset: toLines(earlier).length, identity, mapping: null };
    const source = await openTape(await writeTape(rows), { checkpoint, isRebuild: true });

    expect(source.judgedUpTo).toBe(0);
    expect(transactionsOf(await readAll(source))).toHaveLength(rows.length);
  });
});

describe('a followed tape that rebuilds a state', () => {
  /** A tail that rebuilds; `read`: the transactions that an earlier run judged, and those after them. */
  async function rebuild(file: string, checkpoint: Checkpoint) {
    const { taken, judged, ...tail } = await follow(file, checkpoint, true);
    const read = () => [judged, taken.filter((row) => !judged.includes(row))].map(transactionsOf);
    return { ...tail, taken, read };
  }

  test('reads it from its start, header included, and says up to where it was read', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1, 2)]);
    const checkpoint = await checkpointAfter(file, 2);
    await appendFile(file, tradeLineOf('0xt4'));
    const { source, read, fixture } = await rebuild(file, checkpoint);

    expect(read()).toEqual([
      ['0xt1', '0xt2'],
      ['0xt3', '0xt4'],
    ]);
    expect(source.isComplete).toBe(true);
    expect(source.checkpoint(checkpoint.offset)).toMatchObject({ offset: checkpoint.offset });
    expect(fixture.warnings).toEqual([]);
  });

  test.each([
    ['was replaced', toLines(tradesAt(5, 6, 7))],
    ['was cut', toLines(tradesAt(0))],
    ['is empty', ''],
  ])('that %s says of no row that it was read', async (_name, text) => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 2);
    await writeFile(file, text);
    const { read, pass } = await rebuild(file, checkpoint);
    await appendFile(file, tradeLineOf('0xnew'));
    await pass();

    const [judged, fresh] = read();
    expect(judged).toEqual([]);
    expect(fresh?.at(-1)).toBe('0xnew');
  });

  test('that is replaced or cut in the middle says of no row of the new one that it was read', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const { read, pass } = await rebuild(file, await checkpointAfter(file, 2));
    await writeFile(`${file}.new`, tradeLineOf('0xnew1'));
    await rename(`${file}.new`, file);
    await pass();
    await writeFile(file, tradeLineOf('0xn2'));
    await pass();

    expect(read()).toEqual([
      ['0xt1', '0xt2'],
      ['0xnew1', '0xn2'],
    ]);
  });

  test('that is not there yet hands nothing over, no close row either, and is known when it comes back', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await checkpointAfter(file, 1);
    await rename(file, `${file}.away`);
    const { taken, read, pass } = await rebuild(file, checkpoint);
    await pass(3_000);
    expect(taken).toEqual([]);

    await rename(`${file}.away`, file);
    await pass();
    expect(read()).toEqual([['0xt1'], ['0xt2']]);
  });
});
