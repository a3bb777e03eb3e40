import { expect, test } from 'vitest';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { DEFAULT_PLAN } from '../../../src/core/detection/record-plan.ts';
import { compileRecord } from '../../../src/core/record/compile-record.ts';
import { exitOf } from '../../support/alerts.ts';
import { alertOn, type GivenOrder, measured, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:30'), price: 0.55, usdc: 2_000, wallet: '0xa' };
const published = time('06:01:00');
const settledAt = time('2 00:00:00');
const alerts = [alertOn(order, published), alertOn({ ...order, wallet: '0xb' }, published, { id: 2 })];

function exitsOf(exits: readonly Exit[], payouts?: readonly number[]) {
  const market = recordMarket({ orders: [order], alerts, exits, settledAt, ...(payouts && { payouts }) });
  return measured(market);
}

test('what was sold is put beside the same shares held to the settlement, which may have paid more or less', () => {
  const half = exitOf({ number: 1 });
  // 48,000 shares, bought at 55¢, sold at 71¢.
  expect(exitsOf([half], [1, 0]).exits).toEqual([{ publishedAt: published, realized: 7_680, held: 21_600 }]);
  expect(exitsOf([half], [0, 1]).exits).toMatchObject([{ held: -26_400 }]);
  expect(exitsOf([half]).exits).toEqual([]);
});

test('each position of a wallet counts once, by its last exit that holds; clusters repeat the sales of their members', () => {
  const out = exitOf({ number: 2, level: 'out', soldShares: 80_000, profitUsdc: 10_000, salePrice: 0.675 });
  const cluster = exitOf({ number: 4, threadId: 2, isCluster: true, members: { total: 3, out: 1 } });
  const hedged = exitOf({ number: 3, threadId: 2, kind: 'hedged', salePrice: null, profitUsdc: null });
  const realizedIn = (...exits: readonly Exit[]) =>
    exitsOf(exits, [1, 0]).exits.map(({ realized }) => realized);
  expect(realizedIn(exitOf({ number: 1 }), out, hedged, cluster)).toEqual([10_000]);
  expect(realizedIn(exitOf({ number: 1 }), out, exitOf({ number: 5, corrects: 2 }))).toEqual([7_680]);
  expect(realizedIn(out, exitOf({ number: 5, corrects: 2 }))).toEqual([]);
});

test('a stage has the sums of its positions, whatever the sequence of markets', () => {
  const markets = [
    exitsOf([exitOf({ number: 1 })], [1, 0]),
    exitsOf([exitOf({ number: 2, threadId: 2, profitUsdc: -100.1 })], [0, 1]),
  ];
  const options = { plan: DEFAULT_PLAN, rules: { version: '4', sha256: 'f'.repeat(64) }, asOf: settledAt };
  const stages = [markets, markets.toReversed()].map((each) => compileRecord(each, options).stages[0]?.exits);
  const sums = { positions: 2, realized_usdc: 7_579.9, held_usdc: -12_580.1 };
  expect(stages).toEqual([sums, sums]);
});
