import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { closeRow, marketRow, START, type tradeOf, tradeRow } from '../../support/rows.ts';

const YES = { asset: '1001', outcome: 'Yes', outcomeIndex: 0 };
const NO = { asset: '1002', outcome: 'No', outcomeIndex: 1 };
const MARKET = marketRow({ outcomes: ['Yes', 'No'], tokenIds: ['1001', '1002'], endsAt: START + DAY_MS });

type Given = Partial<Parameters<typeof tradeOf>[0]> & { readonly shares: number };
const at = (minutes: number) => START + minutes * MINUTE_MS;
const buy = (minutes: number, given: Given): Row =>
  tradeRow({ ...YES, wallet: '0xw1', price: 0.55, at: at(minutes), ...given });
const sell = (minutes: number, given: Given): Row => buy(minutes, { price: 0.71, side: 'SELL', ...given });

const removed = (row: Row): Row =>
  row.kind === 'trade' ? { kind: 'removed', at: row.at, trade: row.trade } : row;

function exitsOf(rows: readonly Row[]): FoundExit[] {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  return [...rows, closeRow()].flatMap((row) => detector.judge(row).exits);
}

describe('an exit', () => {
  test('states what was sold since the alert, at which mean price, and what that brought', () => {
    const [exit] = exitsOf([MARKET, buy(0, { shares: 80_000 }), sell(180, { shares: 48_000 })]);
    expect(exit).toEqual({
      key: 'x:w:0xw1:1001:half',
      ...{ level: 'half', isCluster: false },
      ...{ wallet: '0xw1', marketId: '0xm1', outcome: 'Yes', outcomeIndex: 0 },
      ...{ tradedAt: at(180), alertedAt: START },
      ...{ heldShares: 32_000, peakShares: 80_000, soldShares: 48_000 },
      ...{ salePrice: 0.71, profitUsdc: 7_680 },
    });
  });

  test('is found at half and at a twentieth of the peak, at most once per level, and never at half after out', () => {
    const levels = (...sales: readonly number[]) => {
      const rows = sales.map((shares, index) => sell(10 + index, { shares }));
      const found = exitsOf([MARKET, buy(0, { shares: 10_000 }), ...rows, buy(60, { shares: 500 })]);
      return found.map(({ level, heldShares }) => [level, heldShares]);
    };
    expect(levels(4_999)).toEqual([]);
    expect(levels(5_000, 1_000)).toEqual([['half', 5_000]]);
    expect(levels(5_000, 4_500)).toEqual([
      ['half', 5_000],
      ['out', 500],
    ]);
    expect(levels(9_500, 500)).toEqual([['out', 500]]);
    // After another buy the peak is higher.
    const grown = [buy(0, { shares: 10_000 }), buy(1, { shares: 10_000 }), sell(2, { shares: 9_000 })];
    expect(exitsOf([MARKET, ...grown])).toEqual([]);
  });

  test('is found by a hedge in a market of two outcomes, which is no sale', () => {
    const rows = [buy(0, { shares: 10_000 }), buy(5, { ...NO, shares: 8_000 })];
    const hedged = { level: 'half', heldShares: 2_000, soldShares: 0, salePrice: null, profitUsdc: null };
    expect(exitsOf([MARKET, ...rows])).toMatchObject([hedged]);
    const three = marketRow({ outcomes: ['Yes', 'No', 'Other'], tokenIds: ['1001', '1002', '1003'] });
    expect(exitsOf([three, ...rows])).toEqual([]);
  });

  test('counts a late sale when it comes; a removed buy is no sale, and a removed sale makes none again', () => {
    const bought = [MARKET, buy(0, { shares: 10_000 }), buy(1, { shares: 10_000, transaction: '0xgone' })];
    const late = sell(0.5, { shares: 15_000 });
    expect(exitsOf([...bought, closeRow(), buy(9, { shares: 1 }), late])).toMatchObject([{ level: 'half' }]);
    const removedBuy = removed(bought[2] as Row);
    expect(exitsOf([...bought, closeRow(), removedBuy, sell(5, { shares: 4_000 })])).toEqual([]);
    const sale = sell(5, { shares: 10_000 });
    const again = [closeRow(), removed(sale), sell(9, { shares: 10_000 })];
    expect(exitsOf([...bought, sale, ...again]).map(({ tradedAt }) => tradedAt)).toEqual([at(5)]);
  });

  test('of a cluster counts the shares of all its wallets', () => {
    const wallets = ['0xw1', '0xw2', '0xw3'];
    const buys = wallets.map((wallet, index) => buy(index, { wallet, shares: 2_000 }));
    const sales = wallets.map((wallet, index) => sell(10 + index, { wallet, shares: 2_000 }));
    const all = {
      key: 'x:c:1001:half',
      wallet: '0xw2',
      peakShares: 6_000,
      soldShares: 4_000,
    };
    const found = exitsOf([MARKET, ...buys, ...sales]).filter(({ isCluster }) => isCluster);
    expect(found).toMatchObject([all, { key: 'x:c:1001:out', heldShares: 0 }]);
  });
});

describe('a position is known', () => {
  test('not while there is no room', () => {
    const rules = { ...DEFAULT_RULES, memory: { ...DEFAULT_RULES.memory, followed: 2 } };
    const others = [1, 2].map((n) => buy(n, { wallet: `0xv${n}`, shares: 10_000 }));
    const detector = new Detector(rules, { isComplete: true });
    const alerts = [...others, closeRow()].flatMap((row) => detector.judge(row).candidates);
    expect(alerts.map(({ details }) => details.isPositionKnown)).toEqual([true, false]);
    expect(detector.memory.followed).toBe(2);
  });

  test('however long ago its wallet was forgotten as one that may be fresh', () => {
    const later = 40 * DAY_MS;
    const rows = [buy(0, { shares: 10_000 }), tradeRow({ wallet: '0xother', at: START + later - HOUR_MS })];
    const sold = sell(later / MINUTE_MS, { shares: 10_000 });
    expect(exitsOf([...rows, sold])).toMatchObject([{ level: 'out', alertedAt: START }]);
  });
});
