import { describe, expect, test } from 'vitest';
import {
  createSourceFixture,
  kindsOf,
  openTape,
  play,
  readAll,
  startReading,
  TAPE_START,
  TODAY,
  tradesAt,
  wireMarket,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

const closeAt = (second: number) => ({ kind: 'close', at: TAPE_START + second * 1_000 });
const closeRow = (second = 0) => ({ close: TAPE_START / 1_000 + second });
const marketAt = (second: number) => wireMarket({ at: TAPE_START / 1_000 + second });
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

  test('once, however long it waits, and again only for another trade, late ones too', async () => {
    const late = wireTrade({ transactionHash: '0xlate' });
    const { taken, clock } = await play([...tradesAt(0), marketAt(300), late, ...tradesAt(6 * 3_600)]);
    await clock.advance(300_999);
    expect(kindsOf(taken)).toEqual(['trade', 'close', 'market', 'trade']);
    await clock.advance(5 * 3_600_000);
    expect(kindsOf(taken)).toEqual(['trade', 'close', 'market', 'trade', 'close']);
    expect(taken.at(-1)?.row).toEqual(closeAt(300));
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

  test('and the replay is finished only after that', async () => {
    const source = await openTape(await writeTape(tradesAt(0)));
    const states: string[] = [];
    for await (const _batch of source.batches(new AbortController().signal))
      states.push(source.status().state);
    expect([...states, source.status().state]).toEqual(['playing', 'playing', 'finished']);
  });

  test.each([0, 1, 2, 3])('also after a resume behind row %d', async (index) => {
    const file = await writeTape(tradesAt(0, 0, 600, 600));
    const source = await openTape(file);
    const all = await readAll(source);
    const resumed = await openTape(file, { checkpoint: source.checkpoint(all[index]?.offset ?? 0) });
    expect(kindsOf(await readAll(resumed))).toEqual([...Array(3 - index).fill('trade'), 'close']);
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

  test('nothing when the replay is stopped before', async () => {
    const { taken, done, stop } = await play(tradesAt(0, 600));
    stop();
    await done;
    const stopped = startReading(await openTape(await writeTape(tradesAt(0))));
    stopped.stop();
    await stopped.done;
    expect([kindsOf(taken), kindsOf(stopped.taken)].flat()).not.toContain('close');
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
