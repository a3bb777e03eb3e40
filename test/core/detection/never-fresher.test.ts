import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { judgeAll } from '../../support/judge-rows.ts';
import { START, tradeRow, walletRow } from '../../support/rows.ts';

const at = (minutes: number) => START + minutes * MINUTE_MS;
const buy = (minutes: number, usdc: number, price = 0.5) => tradeRow({ at: at(minutes), usdc, price });
/** A trade of another wallet and market, so that the time rises. */
const later = (minutes: number) =>
  tradeRow({ wallet: '0xother', marketId: '0xm9', asset: '9', at: at(minutes) });

describe('what came late never makes a wallet fresher or a thread quicker to alert', () => {
  test('of several wallet rows the earliest creation holds: facts read again never make a wallet younger', () => {
    const old = walletRow({ createdAt: START - 10 * DAY_MS });
    const young = walletRow({ createdAt: START - DAY_MS });
    for (const rows of [
      [old, young],
      [young, old],
    ]) {
      const [alert] = judgeAll([...rows, buy(0, 2_000)], false);
      expect(alert?.details.walletAgeDays).toBe(10);
    }
  });

  test('late fills of an order alerted before the latest one raise what the next alert has to reach', () => {
    // The hedge keeps the position from being an accumulation.
    const no = { asset: '1002', outcome: 'No', outcomeIndex: 1 };
    const hedge = tradeRow({ ...no, at: at(0), usdc: 900, price: 0.05 });
    const rows = [hedge, buy(0, 1_000), buy(60, 2_000), later(61), buy(0, 5_000), later(62)];
    expect(judgeAll([...rows, buy(90, 11_999)])).toHaveLength(2);
    expect(judgeAll([...rows, buy(90, 12_000)])).toHaveLength(3);
  });

  test('a late buy before an accumulation raises what the next alert has to reach', () => {
    const rows = [buy(10, 900), buy(11, 900), buy(12, 900), later(13), buy(0, 900), later(14)];
    expect(judgeAll(rows).map(({ type }) => type)).toEqual(['fresh_accumulator']);
    // 3,600 USDC were bought, though 2,700 were alerted.
    expect(judgeAll([...rows, buy(20, 3_599)])).toHaveLength(1);
    expect(judgeAll([...rows, buy(20, 3_600)])).toHaveLength(2);
  });

  test('a late fill that takes a buy out of the sums does not lower what the next alert has to reach', () => {
    const rows = [buy(0, 900), buy(1, 900), buy(2, 900), later(3)];
    expect(judgeAll(rows).map(({ type }) => type)).toEqual(['fresh_accumulator']);
    const sweep = tradeRow({ at: at(0), shares: 1_000_000, price: 0.96 });
    // 2,700 USDC were alerted, of which 1,800 still count.
    const more = (usdc: number) => [
      ...rows,
      sweep,
      later(4),
      ...[5, 6, 7].map((n) => buy(n, 900)),
      buy(8, usdc),
    ];
    expect(judgeAll(more(899))).toHaveLength(1);
    expect(judgeAll(more(900))).toHaveLength(2);
  });
});
