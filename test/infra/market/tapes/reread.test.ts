import { appendFile, rename, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Checkpoint, SourceRow, TapeSource } from '../../../../src/core/trades/source/source.ts';
import { openReplay, type ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import { openTail } from '../../../../src/infra/market/tapes/tail.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
  TAPE_START,
  TODAY,
  toLines,
  tradesAt,
  transactionsOf,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

const HEADER = { tape: { history: 'complete' } };
const trade = (transactionHash: string) => toLines([wireTrade({ transactionHash })]);

/** What a store gives back of the checkpoint behind the first rows. */
function checkpointBehind(source: TapeSource, taken: readonly SourceRow[], rows: number): Checkpoint {
  return JSON.parse(JSON.stringify(source.checkpoint(taken[rows - 1]?.offset ?? 0))) as Checkpoint;
}

describe('a replay that rebuilds a state', () => {
  const asItComes: Omit<ReplayOptions, 'file'> = { speed: 0, shift: null, checkpoint: null };

  test.each(['tape.jsonl', 'tape.jsonl.gz'])(
    'plays %s from its start, and says up to where it was played',
    async (name) => {
      const file = await writeTape([HEADER, ...tradesAt(1, 2, 3, 4)], name);
      const before = await openReplay({ ...asItComes, file, shift: 'now' }, createSourceFixture());
      const rows = await readAll(before);
      const checkpoint = checkpointBehind(before, rows, 2);
      const fixture = createSourceFixture(TODAY + 1_000_000);
      const again = await openReplay(
        { ...asItComes, file, shift: 'now', checkpoint, isRebuild: true },
        fixture,
      );

      expect(again).toMatchObject({
        judgedUpTo: checkpoint.offset,
        isComplete: true,
        mapping: before.mapping,
      });
      expect(await readAll(again)).toEqual(rows);
      expect(again.checkpoint(checkpoint.offset)).toEqual(checkpoint);
      expect(fixture.warnings).toEqual([]);
    },
  );

  test('keeps its pace: what was due is due immediately, later rows at their former times', async () => {
    const file = await writeTape(tradesAt(0, 10, 20));
    const paced = { ...asItComes, file, speed: 1, shift: TAPE_START };
    const before = await openReplay(paced, createSourceFixture());
    const checkpoint = before.checkpoint(toLines(tradesAt(0, 10)).length);
    const fixture = createSourceFixture(TODAY + 15_000);
    const again = await openReplay({ ...paced, checkpoint, isRebuild: true }, fixture);
    const { taken } = startReading(again);
    await fixture.clock.asleep();

    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2']);
    expect(again.judgedUpTo).toBe(checkpoint.offset);
    await fixture.clock.advance(5_000);
    await fixture.clock.asleep(0);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3']);
  });

  test('of another tape says that nothing of it was played', async () => {
    const before = await openReplay(
      { ...asItComes, file: await writeTape(tradesAt(1, 2)) },
      createSourceFixture(),
    );
    const checkpoint = checkpointBehind(before, await readAll(before), 2);
    const file = await writeTape(tradesAt(11, 12, 13));
    const other = await openReplay(
      { ...asItComes, file, checkpoint, isRebuild: true },
      createSourceFixture(),
    );

    expect(other.judgedUpTo).toBe(0);
    expect(other.checkpoint(0).identity).not.toBe(checkpoint.identity);
    expect(transactionsOf(await readAll(other))).toEqual(['0xt1', '0xt2', '0xt3']);
  });

  test('of a tape that was cut before the checkpoint says that nothing of it was played', async () => {
    const beginning = await openReplay(
      { ...asItComes, file: await writeTape(tradesAt(1)) },
      createSourceFixture(),
    );
    const file = await writeTape(tradesAt(1, 2));
    const checkpoint = beginning.checkpoint(toLines(tradesAt(1, 2, 3)).length);
    const cut = await openReplay({ ...asItComes, file, checkpoint, isRebuild: true }, createSourceFixture());

    expect(cut.judgedUpTo).toBe(0);
    expect(await readAll(cut)).toHaveLength(3);
  });
});

describe('a followed tape that rebuilds a state', () => {
  async function follow(file: string, checkpoint: Checkpoint | null, isRebuild = true) {
    const fixture = createSourceFixture();
    const source = await openTail({ file, checkpoint, isRebuild }, fixture);
    /** Rows by whether the source says that an earlier run judged them. */
    const taken: SourceRow[] = [];
    const judged: string[] = [];
    const fresh: string[] = [];
    const batches = source.batches.bind(source);
    async function* sorted(signal: AbortSignal) {
      for await (const batch of batches(signal)) {
        taken.push(...batch);
        const limit = source.judgedUpTo ?? 0;
        judged.push(...transactionsOf(batch.filter(({ offset }) => offset <= limit)));
        fresh.push(...transactionsOf(batch.filter(({ offset }) => offset > limit)));
        yield batch;
      }
    }
    const { done, stop } = startReading({ ...source, batches: sorted });
    await fixture.clock.asleep();
    async function pass(ms = 100): Promise<void> {
      for (let passed = 0; passed < ms; passed += 100) {
        await fixture.clock.advance(100);
        await fixture.clock.asleep();
      }
    }
    return { source, taken, judged, fresh, pass, done, stop, kit: fixture };
  }

  /** The checkpoint behind the first rows, of a run that is over. */
  async function followed(file: string, rows: number): Promise<Checkpoint> {
    const { source, taken, stop, done } = await follow(file, null, false);
    stop();
    await done;
    return checkpointBehind(source, taken, rows);
  }

  test('reads it from its start, header included, and says up to where it was read', async () => {
    const file = await writeTape([HEADER, ...tradesAt(0, 1, 2)]);
    const checkpoint = await followed(file, 2);
    await appendFile(file, trade('0xt4'));
    const { source, judged, fresh, kit: fixture } = await follow(file, checkpoint);

    expect(judged).toEqual(['0xt1', '0xt2']);
    expect(fresh).toEqual(['0xt3', '0xt4']);
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
    const checkpoint = await followed(file, 2);
    await writeFile(file, text);
    const { judged, fresh, pass } = await follow(file, checkpoint);
    await appendFile(file, trade('0xnew'));
    await pass();

    expect(judged).toEqual([]);
    expect(fresh.at(-1)).toBe('0xnew');
  });

  test('that is replaced or cut in the middle says of no row of the new one that it was read', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const { judged, fresh, pass } = await follow(file, await followed(file, 2));
    await writeFile(`${file}.new`, trade('0xnew1'));
    await rename(`${file}.new`, file);
    await pass();
    await writeFile(file, trade('0xn2'));
    await pass();

    expect(judged).toEqual(['0xt1', '0xt2']);
    expect(fresh).toEqual(['0xnew1', '0xn2']);
  });

  test('that is overwritten while it is read says of no row of the new one that it was read', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => wireTrade({ transactionHash: `0x${n}` }));
    const file = await writeTape(many);
    const source = await openTail(
      { file, checkpoint: await followed(file, 1_500), isRebuild: true },
      createSourceFixture(),
    );
    const stop = new AbortController();
    const seen: { transactions: string[]; judgedUpTo: number }[] = [];
    for await (const batch of source.batches(stop.signal)) {
      seen.push({ transactions: transactionsOf(batch), judgedUpTo: source.judgedUpTo ?? 0 });
      if (seen.length === 1) await writeFile(file, trade('0xnew'));
      else break;
    }

    expect(seen[0]?.transactions.length).toBeLessThan(1_500);
    expect(seen[0]?.judgedUpTo).toBeGreaterThan(0);
    expect(seen[1]).toEqual({ transactions: ['0xnew'], judgedUpTo: 0 });
  });

  test('that is not there yet hands nothing over, no close row either, and is known when it comes back', async () => {
    const file = await writeTape(tradesAt(0, 1));
    const checkpoint = await followed(file, 1);
    await rename(file, `${file}.away`);
    const { taken, judged, fresh, pass } = await follow(file, checkpoint);
    await pass(3_000);
    expect(taken).toEqual([]);

    await rename(`${file}.away`, file);
    await pass();
    expect([judged, fresh]).toEqual([['0xt1'], ['0xt2']]);
  });
});
