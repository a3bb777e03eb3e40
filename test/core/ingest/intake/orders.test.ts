import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Judgement } from '../../../../src/core/detection/detector.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/duration.ts';
import type { LiveRow } from '../../../../src/core/source/source.ts';
import type { Row, Trade } from '../../../../src/core/trade.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  closeSeconds,
  eventLoopTurn,
  liveMarket,
  liveTrade,
  type Run,
  settledFacts,
  startIntake,
} from './intake-fixture.ts';

const fill = (given: Parameters<typeof tradeOf>[0] = {}) => liveTrade(tradeOf({ usdc: 10, ...given }));
const tradesOf = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'trade' ? [row.trade] : []));
const transactionsOf = (rows: readonly (Row | LiveRow)[]) =>
  tradesOf(rows.map((row) => ('line' in row ? row.row : row))).map(({ transaction }) => transaction);
const orderKey = ({ wallet, asset, side, at }: Trade) =>
  [wallet, asset, side, Math.floor(at / SECOND_MS)].join(' ');

/** Questions about markets are collected for 100 ms. */
const ANSWER_MS = 100;

/** Wallets asked about. */
function countedFacts() {
  const asked: string[] = [];
  const ask = async (wallet: string) => {
    asked.push(wallet);
    return settledFacts(wallet);
  };
  return { asked, facts: { ask } };
}

test('40 fills of one order, from two sources in six offers, ask for facts once, by their sum and mean price, and go over in one batch', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const needsFacts = vi.spyOn(run.detector, 'needsFacts');
  const fills = Array.from({ length: 40 }, (_, n) =>
    fill({ wallet: '0xa', usdc: 10, price: n < 20 ? 0.25 : 0.5 }),
  );
  const [polled, streamed] = [fills.slice(0, 30), fills.slice(20)];
  for (let third = 0; third < 3; third += 1) {
    await run.intake.enqueue([
      ...polled.slice(third * 10, third * 10 + 10),
      fill({ wallet: `0xother${third}` }),
    ]);
    await run.clock.advance(SECOND_MS);
    await run.intake.enqueue(streamed.slice(third * 7, third * 7 + 7));
  }
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);

  expect(asked).toEqual(['0xa']);
  const order = needsFacts.mock.calls.map(([trade]) => trade).find(({ wallet }) => wallet === '0xa');
  expect(order?.shares).toBeCloseTo(20 * 40 + 20 * 20, 9);
  expect(order?.price).toBeCloseTo(400 / 1_200, 12);
  const batch = run.batches.find((rows) => tradesOf(rows).some(({ wallet }) => wallet === '0xa')) ?? [];
  expect(transactionsOf(batch).toSorted()).toEqual(transactionsOf(fills).toSorted());
  expect(batch.map(({ kind }) => kind)).toEqual(['wallet', 'market', ...fills.map(() => 'trade'), 'close']);
  run.stop();
});

test('no facts are asked for an order whose mean price is ignored, though sums of rounded amounts lie beside it', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const pieces = [30_004.200071, 30_779.770074, 39_005.460092];
  await run.intake.enqueue(
    pieces.map((shares) => liveTrade(tradeOf({ wallet: '0xa', shares, price: 0.01 }))),
  );
  await closeSeconds(run);
  expect(asked).toEqual([]);
  expect(tradesOf(run.handed)).toHaveLength(3);
  run.stop();
});

test('a small fill waits for facts with the rest of an order that is large', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  await run.intake.enqueue([fill({ wallet: '0xa', usdc: 5 }), fill({ wallet: '0xa', usdc: 4_995 })]);
  await run.intake.enqueue([fill({ wallet: '0xb', usdc: 5 })]);
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  expect(asked).toEqual(['0xa']);
  expect(run.handed.map(({ kind }) => kind)).toEqual([
    ...['trade', 'close'],
    ...['wallet', 'market', 'trade', 'trade', 'close'],
  ]);
  run.stop();
});

test('a batch with trades ends with one close row of its largest second; one without has none', async () => {
  const run = startIntake();
  const lines: string[] = [];
  await run.intake.enqueue([liveMarket('0xm1')]);
  await eventLoopTurn();
  await run.intake.enqueue([fill({ at: START + 3_000 }), fill({ at: START + 1_999 }), liveMarket('0xm2')]);
  await closeSeconds(run);
  for (const { line } of run.live) lines.push(line);
  expect(run.batches.map((rows) => rows.map(({ kind }) => kind))).toEqual([
    ['market'],
    ['market'],
    ['trade', 'trade', 'close'],
  ]);
  expect(run.handed.at(-1)).toEqual({ kind: 'close', at: START + 3_000 });
  expect(lines.at(-1)).toBe(`{"close":${START / SECOND_MS + 3}}`);
  run.stop();
});

test('a second is open for 1.5 s after its last row and no longer, also while the batch before is judged', async () => {
  const run = startIntake();
  await run.intake.enqueue([fill({ at: START })]);
  await run.clock.advance(1_000);
  await run.intake.enqueue([fill({ at: START + 999 })]);
  await run.clock.advance(1_499);
  expect(run.handed).toEqual([]);
  run.hold = true;
  await run.clock.advance(1);
  await run.intake.enqueue([fill({ at: START + 5_000 })]);
  await run.clock.advance(2_000);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  expect(tradesOf(run.handed).map(({ at }) => at - START)).toEqual([0, 999, 5_000]);
  run.stop();
});

test('a second that is due waits for what of it was offered behind other rows', async () => {
  const run = startIntake();
  run.hold = true;
  await run.intake.enqueue([liveMarket('0xm1'), fill({ wallet: '0xa', transaction: '0x1' })]);
  await run.clock.advance(1_500);
  const markets = Array.from({ length: 600 }, (_, n) => liveMarket(`0xm${n}`));
  await run.intake.enqueue([...markets, fill({ wallet: '0xa', transaction: '0x2' })]);
  await run.clock.advance(500);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  await run.clock.advance(1_500);
  expect(run.batches.map((batch) => transactionsOf(batch))).toEqual([[], [], [], ['0x1', '0x2']]);
  run.stop();
});

test('seconds that are due together are passed on in their order; each stays open for its own 1.5 s, also when a later one is due', async () => {
  const run = startIntake();
  const of = (at: number) => fill({ at: START + at });
  await run.intake.enqueue([of(SECOND_MS), of(0), of(9_000), of(2_000)]);
  await run.clock.advance(500);
  await run.intake.enqueue([of(500), of(9_500)]);
  const handed = () => tradesOf(run.handed).map(({ at }) => at - START);
  await run.clock.advance(999);
  expect(handed()).toEqual([]);
  await run.clock.advance(1);
  expect(handed()).toEqual([1_000, 2_000]);
  await run.clock.advance(499);
  expect(handed()).toEqual([1_000, 2_000]);
  await run.clock.advance(1);
  expect(handed()).toEqual([1_000, 2_000, 0, 500, 9_000, 9_500]);
  run.stop();
});

test('an old order that is listed in two pages while the market continues is judged and published whole', async () => {
  const run = startIntake();
  const judge = vi.spyOn(run.detector, 'judge');
  const pageOf = (page: string) =>
    Array.from({ length: 20 }, (_, n) =>
      fill({ wallet: '0xbig', usdc: 1_250, at: START - 5 * MINUTE_MS, transaction: `${page}${n}` }),
    );
  await run.intake.enqueue([fill({ wallet: '0xlive', usdc: 1 })]);
  await run.clock.advance(1_900);
  await run.intake.enqueue(pageOf('0xa'));
  await run.clock.advance(200);
  expect(tradesOf(run.handed)).toHaveLength(1);
  await run.intake.enqueue(pageOf('0xb'));
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  const found = judge.mock.results.flatMap(({ value }) => (value as Judgement).candidates);
  expect(found).toMatchObject([{ wallet: '0xbig', usdc: 50_000 }]);
  expect(run.batches.map((batch) => tradesOf(batch).length)).toEqual([1, 40]);
  run.stop();
});

test('a wallet’s older order that is closed after a newer one is judged at its own time, behind the same facts', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const of = (at: number) => fill({ wallet: '0xa', usdc: 2_000, asset: `${at}`, at: START + at });
  await run.intake.enqueue([of(0), of(SECOND_MS)]);
  await run.clock.advance(SECOND_MS);
  await run.intake.enqueue([fill({ wallet: '0xa', usdc: 1_000, asset: '0', at: START })]);
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  expect(asked).toEqual(['0xa']);
  expect(tradesOf(run.handed).map(({ at }) => at - START)).toEqual([1_000, 0, 0]);
  expect(run.alerts).toEqual(
    [START + SECOND_MS, START].map((at) => expect.stringContaining(`${at / SECOND_MS}`)),
  );
  run.stop();
});

test('orders of a second are sorted by wallet, asset and side, the fills of one as they came', async () => {
  const run = startIntake();
  const of = (wallet: string, asset: string, side: Trade['side'], transaction: string) =>
    fill({ wallet, asset, side, transaction });
  await run.intake.enqueue([
    of('0xb', '1', 'BUY', 'e'),
    of('0xa', '2', 'BUY', 'd'),
    of('0xa', '10', 'SELL', 'c'),
    of('0xa', '10', 'BUY', 'b'),
    of('0xa', '10', 'BUY', 'a'),
    of('0xB', '1', 'BUY', 'f'),
  ]);
  await closeSeconds(run);
  expect(transactionsOf(run.handed).join('')).toBe('fbacde');
  run.stop();
});

test('a batch never holds a part of an order: the last one may exceed 500 rows', async () => {
  const run = startIntake();
  const rows = Array.from({ length: 499 }, (_, n) => fill({ wallet: `0xa${n}` }));
  const order = Array.from({ length: 40 }, () => fill({ wallet: '0xb', usdc: 1 }));
  await run.intake.enqueue([...order, ...rows, fill({ wallet: '0xc' })]);
  await closeSeconds(run);
  expect(run.batches.map((batch) => tradesOf(batch).length)).toEqual([539, 1]);
  run.stop();
});

test('a fill that comes after its order went over is an order of its own, and goes the same way', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  await run.intake.enqueue([fill({ wallet: '0xa', usdc: 200 }), fill({ at: START + 7_000 })]);
  await closeSeconds(run);
  await run.intake.enqueue([fill({ wallet: '0xa', usdc: 100, transaction: '0xlate' })]);
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  expect(asked).toEqual(['0xa']);
  expect(run.batches.at(-1)?.map(({ kind }) => kind)).toEqual(['wallet', 'market', 'trade', 'close']);
  expect(transactionsOf(run.batches.at(-1) ?? [])).toEqual(['0xlate']);
  expect(run.handed.at(-1)).toEqual({ kind: 'close', at: START });
  run.stop();
});

test('a second that its source has shown whole is closed immediately; the others stay open', async () => {
  const run = startIntake();
  const rows = [fill({ wallet: '0xa', transaction: '0x1' }), fill({ wallet: '0xa', transaction: '0x2' })];
  await run.intake.enqueue([fill({ transaction: '0xopen', at: START + SECOND_MS })]);
  await run.intake.enqueue(rows, { isWhole: true });
  await eventLoopTurn();
  expect(run.batches.map(transactionsOf)).toEqual([['0x1', '0x2']]);
  await closeSeconds(run);
  expect(run.batches.map(transactionsOf)).toEqual([['0x1', '0x2'], ['0xopen']]);
  run.stop();
});

test.each([
  ['of 60,000 seconds', (n: number) => n * SECOND_MS],
  ['of 300 seconds', (n: number) => (n % 300) * SECOND_MS],
  ['of one second', () => 0],
])(
  '60,000 rows %s are taken while the clock stands still, with one timer, and none is lost',
  async (_, at) => {
    const run = startIntake();
    const rows = Array.from({ length: 60_000 }, (_, n) =>
      fill({ wallet: `0x${n % 7}`, usdc: 0.001, at: START + at(n) }),
    );
    await run.intake.enqueue(rows);
    expect(run.clock.sleepers).toBe(1);
    await closeSeconds(run);
    while (run.intake.oldestWaiting() !== null) await eventLoopTurn();
    expect(transactionsOf(run.handed).toSorted()).toEqual(transactionsOf(rows).toSorted());
    expect(run.intake.status()).toMatchObject({ trades: 0, givenUp: 0, oldest: null });
    run.stop();
  },
);

test('when no more can be taken, the seconds that rested longest are closed first, however new they are', async () => {
  const run = startIntake();
  await run.intake.enqueue([fill({ transaction: '0xfirst' })]);
  await eventLoopTurn();
  await run.clock.advance(SECOND_MS);
  const older = Array.from({ length: 50_000 }, (_, n) =>
    fill({ wallet: `0x${n % 7}`, usdc: 0.001, at: START - (n + 1) * SECOND_MS }),
  );
  void run.intake.enqueue(older);
  for (let n = 0; n < 100; n += 1) await eventLoopTurn();
  expect(transactionsOf(run.handed)).toContain('0xfirst');
  expect(run.handed.length).toBeLessThan(10_000);
  run.stop();
});

test('rows of a whole second that find no room together are not closed before the last of them is taken', async () => {
  const run = startIntake();
  const small = Array.from({ length: 49_999 }, (_, n) =>
    fill({ wallet: `0x${n % 7}`, usdc: 0.001, at: START + SECOND_MS }),
  );
  await run.intake.enqueue(small);
  const rows = [fill({ wallet: '0xa', transaction: '0x1' }), fill({ wallet: '0xa', transaction: '0x2' })];
  const taken = run.intake.enqueue(rows, { isWhole: true });
  for (let n = 0; n < 200; n += 1) await eventLoopTurn();
  await taken;
  await closeSeconds(run);
  const batches = run.batches.map(transactionsOf);
  expect(batches.filter((batch) => batch.includes('0x1') || batch.includes('0x2'))).toEqual([
    expect.arrayContaining(['0x1', '0x2']),
  ]);
  run.stop();
});

test('a clock that is set back keeps no second open', async () => {
  const clock = createFakeClock(START);
  let back = 0;
  const run = startIntake({
    clock: { ...clock, sleep: clock.sleep, now: () => clock.now() - back } as typeof clock,
  });
  await run.intake.enqueue([fill()]);
  await eventLoopTurn();
  back = 60 * SECOND_MS;
  await clock.advance(2_000);
  expect(tradesOf(run.handed)).toHaveLength(1);
  run.stop();
});

test('an abort loses nothing: what was not judged is named as waiting, and the next run takes it', async () => {
  const rows = Array.from({ length: 50 }, (_, n) =>
    fill({ wallet: `0x${n % 5}`, usdc: n % 5 === 0 ? 500 : 1, at: START + n * 100 }),
  );
  const first = startIntake({ facts: { ask: () => new Promise(() => {}) } });
  await first.intake.enqueue(rows.slice(0, 30));
  await closeSeconds(first);
  await first.intake.enqueue(rows.slice(30));
  await eventLoopTurn();
  first.stop();
  await first.ended;
  expect(first.intake.oldestWaiting()).toBe(START);
  expect(first.clock.sleepers).toBe(0);

  const second = startIntake();
  await second.intake.enqueue(rows);
  await closeSeconds(second);
  await second.clock.advance(ANSWER_MS);
  const [before, after] = [transactionsOf(first.handed), transactionsOf(second.handed)];
  expect(before).toHaveLength(24);
  expect(after.toSorted()).toEqual(transactionsOf(rows).toSorted());
  expect(second.intake.oldestWaiting()).toBeNull();
  second.stop();
});

const anyFills = fc.array(
  fc.record({
    wallet: fc.integer({ min: 0, max: 3 }),
    second: fc.integer({ min: 0, max: 5 }),
    usdc: fc.constantFrom(1, 100, 300),
    pauseMs: fc.constantFrom(0, 0, 0, 300, 1_500, 2_500),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

test('whatever comes when: each fill goes over once, within 1.5 s of the last of its second, an order in one batch unless a fill came 1.5 s after the one before it', async () => {
  await fc.assert(
    fc.asyncProperty(anyFills, async (given) => {
      const run = startIntake();
      const lastAt = new Map<number, number>();
      const torn = new Set<number>();
      const rows = given.map(({ wallet, second, usdc }) =>
        fill({ wallet: `0x${wallet}`, usdc, at: START + second * SECOND_MS }),
      );
      for (const [n, row] of rows.entries()) {
        const second = given[n]?.second ?? 0;
        const now = run.clock.now();
        if (now - (lastAt.get(second) ?? now) >= 1_500) torn.add(second);
        await run.intake.enqueue([row]);
        lastAt.set(second, now);
        await eventLoopTurn();
        await run.clock.advance(given[n]?.pauseMs ?? 0);
      }
      await closeSeconds(run);
      await run.clock.advance(SECOND_MS);
      expect(transactionsOf(run.handed).toSorted()).toEqual(transactionsOf(rows).toSorted());
      expectOrdersWhole(run, torn);
      for (const { at, handedAt } of run.times)
        expect(handedAt).toBeLessThanOrEqual((lastAt.get((at - START) / SECOND_MS) ?? 0) + 1_700);
      run.stop();
    }),
    { numRuns: 60 },
  );
});

/** Each batch is sorted, ends with its close row, and holds an order in one piece: the whole unless its second is torn. */
function expectOrdersWhole(run: Run, torn: ReadonlySet<number>): void {
  const handed = new Set<string>();
  for (const batch of run.batches) {
    const trades = tradesOf(batch);
    if (trades.length === 0) continue;
    const latest = Math.max(...trades.map(({ at }) => at));
    expect(batch.filter(({ kind }) => kind === 'close')).toEqual([{ kind: 'close', at: latest }]);
    expect(batch.at(-1)?.kind).toBe('close');
    const keys = trades.map(orderKey);
    for (const key of new Set(keys)) {
      expect(keys.lastIndexOf(key) - keys.indexOf(key) + 1).toBe(keys.filter((k) => k === key).length);
    }
    for (const trade of new Map(trades.map((each) => [orderKey(each), each])).values()) {
      if (!torn.has((trade.at - START) / SECOND_MS)) expect(handed).not.toContain(orderKey(trade));
      handed.add(orderKey(trade));
    }
  }
}
