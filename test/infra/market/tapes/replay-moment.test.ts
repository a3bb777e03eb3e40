import { describe, expect, test } from 'vitest';
import type { TimeMapping } from '../../../../src/core/trades/source/source.ts';
import { isHistoryTime, publishedTime } from '../../../../src/core/trades/source/time-mapping.ts';
import { openReplay, type ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
  TAPE_START,
  TODAY,
  tradesAt,
  transactionsOf,
  wireMarket,
  withoutClose,
  writeTape,
} from './source-fixture.ts';

const moment = { speed: 60, shift: TAPE_START } as const;

function open(file: string, options: Partial<ReplayOptions> = {}, fixture = createSourceFixture()) {
  return openReplay({ ...moment, checkpoint: null, file, ...options }, fixture);
}

describe('a moment as the start of the run', () => {
  test('rows before it come at full speed as history, rows after it when they are due', async () => {
    const fixture = createSourceFixture();
    const source = await open(await writeTape(tradesAt(-7_200, -3_600, 0, 60, 120)), {}, fixture);
    const { taken, done } = startReading(source);
    await fixture.clock.asleep();
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3']);
    await fixture.clock.advance(999);
    expect(transactionsOf(taken)).toHaveLength(3);
    await fixture.clock.advance(1);
    await fixture.clock.asleep();
    expect(transactionsOf(taken)).toHaveLength(4);
    await fixture.clock.advance(1_000);
    await done;
    expect(transactionsOf(taken)).toHaveLength(5);
    expect(fixture.clock.now()).toBe(TODAY + 2_000);
  });

  test('history is moved by a constant, the rest published at start + distance / speed', async () => {
    const { mapping } = await open(await writeTape(tradesAt(-3_600, 60)));
    const published = (seconds: number) =>
      publishedTime(mapping as TimeMapping, TAPE_START + seconds * 1_000) - TODAY;
    expect([-3_600, 0, 60].map(published)).toEqual([-3_600_000, 0, 1_000]);
    expect(isHistoryTime(mapping as TimeMapping, TAPE_START - 1)).toBe(true);
  });

  test('with a head start, the rows since then come at full speed too, at their published times', async () => {
    const fixture = createSourceFixture();
    const file = await writeTape(tradesAt(-60, 0, 60, 120, 180));
    const source = await open(file, { headStartMs: 2_000 }, fixture);
    const { taken, done } = startReading(source);
    await fixture.clock.asleep();
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3', '0xt4']);
    expect(source.status()).toMatchObject({ state: 'playing', historyProgress: 1 });
    const { mapping } = source;
    const published = (seconds: number) =>
      publishedTime(mapping as TimeMapping, TAPE_START + seconds * 1_000) - TODAY;
    expect([-60, 0, 60, 120].map(published)).toEqual([-62_000, -2_000, -1_000, 0]);
    await fixture.clock.advance(1_000);
    await done;
    expect(transactionsOf(taken)).toHaveLength(5);
  });

  test('nothing lies in the future: no row is passed on before its published time', async () => {
    const fixture = createSourceFixture();
    const rows = tradesAt(-60, 7, 3, 11, 11, 500, 490, 501);
    const source = await open(await writeTape([...rows, wireMarket()]), { speed: 7 }, fixture);
    let tapeTime = 0;
    let count = 0;
    const reading = (async () => {
      for await (const batch of source.batches(new AbortController().signal)) {
        for (const { row } of batch) tapeTime = Math.max(tapeTime, row.at ?? 0);
        count += withoutClose(batch).length;
        expect(publishedTime(source.mapping as TimeMapping, tapeTime)).toBeLessThanOrEqual(
          fixture.clock.now(),
        );
      }
    })();
    while (count < 9) {
      await Promise.race([fixture.clock.asleep(), reading]);
      await fixture.clock.advance(100);
    }
    await reading;
  });

  test('a row a millisecond before it is due is not passed on', async () => {
    const fixture = createSourceFixture();
    const source = await open(await writeTape(tradesAt(1, 2, 3)), { speed: 1_000 }, fixture);
    const { taken, done } = startReading(source);
    for (let count = 0; count < 3; count++) {
      await fixture.clock.asleep();
      expect(transactionsOf(taken)).toHaveLength(count);
      await fixture.clock.advance(1);
    }
    await done;
    expect(transactionsOf(taken)).toHaveLength(3);
  });

  test('a late row does not bring the history back', async () => {
    const source = await open(await writeTape(tradesAt(-60, 0, -30)));
    await readAll(source);
    for await (const _batch of source.batches(new AbortController().signal)) {
      expect(source.status().state).toBe('playing');
    }
  });

  test('what came late keeps its place: it is due with the row before it', async () => {
    const fixture = createSourceFixture();
    const source = await open(await writeTape(tradesAt(120, 60, -10)), {}, fixture);
    const { taken, done } = startReading(source);
    await fixture.clock.asleep();
    expect(taken).toHaveLength(0);
    await fixture.clock.advance(2_000);
    await done;
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3']);
  });

  test('a restart continues with the same mapping, also under another speed, and logs it', async () => {
    const file = await writeTape(tradesAt(-60, 60));
    const source = await open(file);
    const fixture = createSourceFixture(TODAY + 500);
    const resumed = await open(file, { speed: 9, checkpoint: source.checkpoint(0) }, fixture);
    expect(resumed.mapping).toEqual(source.mapping);
    expect(fixture.warnings).toEqual([
      'resuming the tape with its earlier speed and shift; the new ones are ignored',
    ]);
  });

  test('reports its progress; its history is over once it waits for what comes after', async () => {
    const fixture = createSourceFixture();
    const source = await open(await writeTape(tradesAt(-100, -50, 60, 120)), {}, fixture);
    expect(source.status()).toEqual({ state: 'starting', progress: 0, historyProgress: 0 });
    const { done } = startReading(source);
    await fixture.clock.asleep();
    expect(source.status()).toMatchObject({ state: 'playing', progress: 0.5, historyProgress: 1 });
    await fixture.clock.advance(2_000);
    await done;
    expect(source.status()).toEqual({ state: 'finished', progress: 1, historyProgress: 1 });
  });

  test('is in its history while rows before the moment pass', async () => {
    const source = await open(await writeTape(tradesAt(-100, -50)));
    for await (const _batch of source.batches(new AbortController().signal)) {
      expect(source.status()).toMatchObject({ state: 'history', historyProgress: 0.5 });
    }
  });

  test('stops waiting when it is aborted', async () => {
    const fixture = createSourceFixture();
    const { done, stop } = startReading(await open(await writeTape(tradesAt(1_000_000)), {}, fixture));
    await fixture.clock.asleep();
    stop();
    await done;
    expect(fixture.clock.sleepers).toBe(0);
  });
});
