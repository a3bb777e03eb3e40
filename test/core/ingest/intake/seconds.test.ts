import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Trade } from '../../../../src/core/trades/trade.ts';
import { START } from '../../../support/rows.ts';
import {
  closeSeconds,
  eventLoopTurn,
  fill,
  liveMarket,
  type Run,
  startIntake,
  tradesOf,
  transactionsOf,
} from './intake-fixture.ts';

const orderKey = ({ wallet, asset, side, at }: Trade) =>
  [wallet, asset, side, Math.floor(at / SECOND_MS)].join(' ');

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
});

test('60,000 rows of 300 seconds are taken while the clock stands still, with one timer, and none is lost', async () => {
  const run = startIntake();
  const rows = Array.from({ length: 60_000 }, (_, n) =>
    fill({ wallet: `0x${n % 7}`, usdc: 0.001, at: START + (n % 300) * SECOND_MS }),
  );
  await run.intake.enqueue(rows);
  expect(run.clock.sleepers).toBe(1);
  await closeSeconds(run);
  while (run.intake.oldestWaiting() !== null) await eventLoopTurn();
  expect(transactionsOf(run.handed).toSorted()).toEqual(transactionsOf(rows).toSorted());
  expect(run.intake.status()).toMatchObject({ trades: 0, givenUp: 0, oldest: null });
});

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
    { numRuns: 25 },
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
