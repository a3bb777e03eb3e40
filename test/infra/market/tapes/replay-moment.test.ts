import { describe, expect, test } from 'vitest';
import {
  publishedTime,
  type TapeSource,
  type TimeMapping,
} from '../../../../src/core/trades/source/source.ts';
import type { ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  openTape,
  play,
  readAll,
  TAPE_START,
  TODAY,
  tradesAt,
  transactionsOf,
  wireMarket,
  withoutClose,
  writeTape,
} from './source-fixture.ts';

const MOMENT = { speed: 60, shift: TAPE_START } as const;
const open = async (rows: readonly unknown[], options: Partial<ReplayOptions> = {}) =>
  openTape(await writeTape(rows), { ...MOMENT, ...options });
const publishedAt =
  ({ mapping }: TapeSource) =>
  (seconds: number) =>
    publishedTime(mapping as TimeMapping, TAPE_START + seconds * 1_000) - TODAY;

describe('a moment as the start of the run', () => {
  test('rows before it come at full speed as history, rows after it when they are due', async () => {
    const { taken, clock, done } = await play(tradesAt(-7_200, -3_600, 0, 60, 120), MOMENT);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3']);
    await clock.advance(999);
    expect(transactionsOf(taken)).toHaveLength(3);
    await clock.advance(1);
    await clock.asleep();
    expect(transactionsOf(taken)).toHaveLength(4);
    await clock.advance(1_000);
    await done;
    expect(transactionsOf(taken)).toHaveLength(5);
    expect(clock.now()).toBe(TODAY + 2_000);
  });

  test('with a head start, the rows since then come at full speed too, at their published times', async () => {
    const options = { ...MOMENT, headStartMs: 2_000 };
    const { taken, source, clock, done } = await play(tradesAt(-60, 0, 60, 120, 180), options);
    expect(transactionsOf(taken)).toEqual(['0xt1', '0xt2', '0xt3', '0xt4']);
    expect(source.status()).toMatchObject({ state: 'playing', historyProgress: 1 });
    expect([-60, 0, 60, 120].map(publishedAt(source))).toEqual([-62_000, -2_000, -1_000, 0]);
    await clock.advance(1_000);
    await done;
    expect(transactionsOf(taken)).toHaveLength(5);
  });

  test('nothing lies in the future: no row is passed on before its published time', async () => {
    const fixture = createSourceFixture();
    const rows = [...tradesAt(-60, 7, 3, 11, 11, 500, 490, 501), wireMarket()];
    const source = await openTape(await writeTape(rows), { speed: 7, shift: TAPE_START }, fixture);
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

  test('a late row does not bring the history back', async () => {
    const source = await open(tradesAt(-60, 0, -30));
    await readAll(source);
    for await (const _batch of source.batches(new AbortController().signal))
      expect(source.status().state).toBe('playing');
  });

  test('a restart continues with the same mapping, also under another speed, and logs it', async () => {
    const file = await writeTape(tradesAt(-60, 60));
    const source = await openTape(file, MOMENT);
    const fixture = createSourceFixture(TODAY + 500);
    const options = { ...MOMENT, speed: 9, checkpoint: source.checkpoint(0) };
    expect((await openTape(file, options, fixture)).mapping).toEqual(source.mapping);
    expect(fixture.warnings).toEqual([
      'resuming the tape with its earlier speed and shift; the new ones are ignored',
    ]);
  });

  test('reports its progress; its history is over once it waits for what comes after', async () => {
    const file = await writeTape(tradesAt(-100, -50, 60, 120));
    const starting = (await openTape(file, MOMENT)).status();
    expect(starting).toEqual({ state: 'starting', progress: 0, historyProgress: 0 });
    const { source, clock, done } = await play(file, MOMENT);
    expect(source.status()).toMatchObject({ state: 'playing', progress: 0.5, historyProgress: 1 });
    await clock.advance(2_000);
    await done;
    expect(source.status()).toEqual({ state: 'finished', progress: 1, historyProgress: 1 });
  });

  test('is in its history while rows before the moment pass', async () => {
    const source = await open(tradesAt(-100, -50));
    for await (const _batch of source.batches(new AbortController().signal))
      expect(source.status()).toMatchObject({ state: 'history', historyProgress: 0.5 });
  });

  test('stops waiting when it is aborted', async () => {
    const { clock, done, stop } = await play(tradesAt(1_000_000), MOMENT);
    stop();
    await done;
    expect(clock.sleepers).toBe(0);
  });
});
