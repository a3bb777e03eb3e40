import { describe, expect, test } from 'vitest';
import {
  publishedTime,
  type TapeSource,
  type TimeMapping,
} from '../../../../src/core/trades/source/source.ts';
import type { ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import {
  createSourceFixture,
  kindsOf,
  openTape,
  play,
  readAll,
  TAPE_START,
  TODAY,
  tradesAt,
  transactionsOf,
  wireMarket,
  wireTrade,
  withoutClose,
  writeTape,
} from './source-fixture.ts';

const closeAt = (second: number) => ({ kind: 'close', at: TAPE_START + second * 1_000 });
const closeRow = (second = 0) => ({ close: TAPE_START / 1_000 + second });
const removedAt = (second: number) =>
  wireTrade({ removed: true, timestamp: TAPE_START / 1_000 + second, transactionHash: '0xgone' });

describe('a paced replay closes a second', () => {
  test('when the pace reaches its end, though the next row of the tape is 10 minutes away', async () => {
    const { taken, clock, done } = await play(tradesAt(0, 600));
    await clock.advance(999);
    expect(kindsOf(taken)).toEqual(['trade']);
    await clock.advance(1);
    expect(taken[1]).toEqual({ row: closeAt(0), offset: taken[0]?.offset });
    await clock.advance(599_000);
    await done;
    expect(kindsOf(taken)).toEqual(['trade', 'close', 'trade', 'close']);
  });

  test.each([
    ['a moment of the tape', TAPE_START],
    ['no shift', null],
  ])('by the mapping of its pace: after 16 ms at 60 times the pace, with %s', async (_name, shift) => {
    const { taken, clock } = await play(tradesAt(0, 600), { speed: 60, shift });
    await clock.advance(15);
    expect(kindsOf(taken)).toEqual(['trade']);
    await clock.advance(1);
    expect(kindsOf(taken)).toEqual(['trade', 'close']);
  });

  test('that lies in the history as soon as the history has passed', async () => {
    const { taken } = await play(tradesAt(-600, -300, 600));
    expect(kindsOf(taken)).toEqual(['trade', 'trade', 'close']);
    expect(taken[2]?.row).toEqual(closeAt(-300));
  });

  test('not between its rows, and not where the next row does it', async () => {
    const { taken, clock, done } = await play(tradesAt(0, 0.2, 0.9, 1, 1.5, 2));
    for (let ms = 0; ms < 2_000; ms += 100) await clock.advance(100);
    await done;
    expect(kindsOf(taken)).toEqual([...Array(6).fill('trade'), 'close']);
  });

  test.each([
    ['where the live run did, when the tape is its recording', closeRow(400), ['close']],
    ['after a removed fill, which is due with the row before it', removedAt(300), ['removed', 'close']],
  ])('%s', async (_name, row, kinds) => {
    const { taken, clock, done } = await play([...tradesAt(0), row, ...tradesAt(600)]);
    const rest = [...kinds, 'trade', 'close'];
    expect(kindsOf(taken)).toEqual(['trade', rest[0]]);
    await clock.advance(599_999);
    expect(kindsOf(taken)).toEqual(['trade', ...rest.slice(0, -2)]);
    await clock.advance(1);
    await done;
    expect(kindsOf(taken)).toEqual(['trade', ...rest]);
  });

  test('that an earlier run left, as soon as it waits for the next row; the checkpoint stays right', async () => {
    const file = await writeTape(tradesAt(0, 600));
    const fixture = createSourceFixture();
    const { taken, source, stop, done } = await play(file, {}, fixture);
    const offset = taken[0]?.offset ?? 0;
    stop();
    await done;
    expect(kindsOf(taken)).toEqual(['trade']);
    const again = await play(file, { checkpoint: source.checkpoint(offset) }, fixture);
    expect(again.taken).toEqual([{ row: { kind: 'close', at: expect.any(Number) }, offset }]);
    await fixture.clock.advance(600_000);
    await again.done;
    expect(kindsOf(again.taken)).toEqual(['close', 'trade', 'close']);
  });
});

describe('the end of a tape closes', () => {
  test('all that is pending, with the offset of the last row; at speed 0 nothing is closed before', async () => {
    const taken = await readAll(await openTape(await writeTape(tradesAt(0, 600, 1_200.5))));
    expect(kindsOf(taken)).toEqual(['trade', 'trade', 'trade', 'close']);
    expect(taken[3]).toEqual({ row: closeAt(1_200), offset: taken[2]?.offset });
  });

  test.each([
    ['a tape without trades', [wireMarket()], ['market']],
    ['an empty tape', [], []],
    ['a recording that ends with its own close row', [...tradesAt(0), closeRow()], ['trade', 'close']],
    [
      'a market row after the close',
      [...tradesAt(0), closeRow(), wireMarket()],
      ['trade', 'close', 'market'],
    ],
  ])('nothing where nothing can be pending: %s', async (_name, rows, kinds) => {
    expect(kindsOf(await readAll(await openTape(await writeTape(rows))))).toEqual(kinds);
  });
});

describe('neither a close row nor a removed fill moves the tape', () => {
  test.each([
    ['close row', closeRow(60)],
    ['removed fill', removedAt(300)],
  ])('the last row that is moved to now is a trade: %s', async (_name, row) => {
    const source = await openTape(await writeTape([...tradesAt(0), row]), { shift: 'now' });
    expect(source.mapping).toMatchObject({ pivot: TAPE_START, origin: TODAY });
  });

  test('the pace begins with the first row that has a time of its own', async () => {
    const source = await openTape(await writeTape([closeRow(-60), ...tradesAt(0)]), { speed: 10 });
    expect(source.checkpoint(0).pace).toMatchObject({ pivot: TAPE_START, origin: TODAY });
  });
});

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
