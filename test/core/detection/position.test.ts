import { describe, expect, test } from 'vitest';
import { MICROS } from '../../../src/core/detection/order.ts';
import {
  createPosition,
  forgetTrades,
  isAccumulating,
  type Position,
  type RecentOrder,
  removeEarlyBuy,
} from '../../../src/core/detection/position.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { forgetTradesOf, Holdings, newWallet } from '../../../src/core/detection/wallet.ts';
import { tradeOf } from '../../support/rows.ts';

const { minBuys, minTotalUsdc, minBoughtToSold, maxHedge } = DEFAULT_RULES.accumulator;
const buyUsdc = minTotalUsdc * MICROS;
const LEAST: Position = {
  ...createPosition(),
  ...{ buys: minBuys, buyUsdc, netShares: 1_000, sellUsdc: buyUsdc / minBoughtToSold },
};
const holding = (netShares: number): Position => ({ ...createPosition(), netShares });
const orderAt = (at: number): RecentOrder => ({
  ...{ at, usdc: 1, shares: 1, counts: true, isAlerted: false, role: null },
});
const earlyAt = (at: number) => ({ at, usdc: 1, shares: 1 });

describe('an accumulation', () => {
  test.each<[string, Position, readonly Position[], boolean]>([
    ['the least of everything', LEAST, [], true],
    ['a buy less', { ...LEAST, buys: minBuys - 1 }, [], false],
    ['a millionth of a USDC less', { ...LEAST, buyUsdc: buyUsdc - 1, sellUsdc: 0 }, [], false],
    ['more sold', { ...LEAST, sellUsdc: buyUsdc / minBoughtToSold + 1 }, [], false],
    ['nothing left', { ...LEAST, netShares: 0 }, [], false],
    ['the most of a hedge, in two outcomes', LEAST, [holding(600 * maxHedge), holding(400 * maxHedge)], true],
    ['more of a hedge', LEAST, [holding(1_000 * maxHedge + 1)], false],
    ['an outcome that was sold short', LEAST, [holding(1_000 * maxHedge), holding(-500)], true],
  ])('with %s: %#', (_, position, others, is) => {
    expect(isAccumulating(position, [position, ...others], DEFAULT_RULES)).toBe(is);
  });
});

test('a removed fill leaves the rest of a buy that waits for the facts of its wallet, and the other buys', () => {
  const removed = (at: number, shares: number) => {
    const fill = tradeOf({ at });
    return { fill, at, usdc: shares, shares, role: null };
  };
  const early = [1_000, 2_000].map((at) => ({ at, usdc: 30, shares: 30 }));
  const position: Position = { ...createPosition(), early };
  removeEarlyBuy(position, removed(1_000, 10));
  expect(position.early).toEqual([{ at: 1_000, usdc: 20, shares: 20 }, early[1]]);
  removeEarlyBuy(position, removed(1_000, 20));
  expect(position.early).toEqual([early[1]]);
  removeEarlyBuy(position, removed(9_000, 1));
  expect(position.early).toEqual([early[1]]);
});

describe('trades that no later trade can join', () => {
  test('are dropped one by one: orders before one moment, early buys before an earlier one', () => {
    const position = { ...createPosition(), orders: [1, 5, 9].map(orderAt), early: [1, 3, 9].map(earlyAt) };
    expect(forgetTrades(position, 5, 3)).toBe(true);
    expect(position.orders.map(({ at }) => at)).toEqual([5, 9]);
    expect(position.early.map(({ at }) => at)).toEqual([3, 9]);
    expect(forgetTrades(position, 5, 3)).toBe(false);
    expect(forgetTrades(position, 5, 10)).toBe(true);
    expect('early' in position).toBe(false);
  });

  test('a wallet of which nothing is dropped counts as unchanged', () => {
    const wallet = newWallet('0xw', 1);
    const holdings = new Holdings();
    const position = { ...createPosition(), early: [earlyAt(4)] };
    holdings.addPosition(wallet, holdings.holdingOf(wallet, '0xm1', 1), ['1001', position]);
    wallet.tradesFrom = 4;
    expect(forgetTradesOf(wallet, 5, 3)).toBe(false);
    expect(forgetTradesOf(wallet, 6, 5)).toBe(true);
    expect(wallet.tradesFrom).toBe(Number.POSITIVE_INFINITY);
  });
});
