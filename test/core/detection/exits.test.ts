import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { closeRow, marketRow, START, type tradeOf, tradeRow } from '../../support/rows.ts';

const YES = { asset: '1001', outcome: 'Yes', outcomeIndex: 0 };
const MARKET = marketRow({ outcomes: ['Yes', 'No'], tokenIds: ['1001', '1002'], endsAt: START + DAY_MS });

type Given = Partial<Parameters<typeof tradeOf>[0]> & { readonly shares: number };
const at = (minutes: number) => START + minutes * MINUTE_MS;
const buy = (minutes: number, given: Given): Row =>
  tradeRow({ ...YES, wallet: '0xw1', price: 0.55, at: at(minutes), ...given });
const sell = (minutes: number, given: Given): Row => buy(minutes, { price: 0.71, side: 'SELL', ...given });

function exitsOf(rows: readonly Row[]): FoundExit[] {
  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  return [...rows, closeRow()].flatMap((row) => detector.judge(row).exits);
}

describe('an exit', () => {
  test('states what was sold since the alert, at which mean price, and what that brought', () => {
    const [exit] = exitsOf([MARKET, buy(0, { shares: 80_000 }), sell(180, { shares: 48_000 })]);
    expect(exit).toEqual({
      key: 'x:w:0xw1:1001:half:0',
      ...{ corrects: null, sameSaleAs: null, level: 'half', kind: 'sold', isCluster: false },
      ...{ wallet: '0xw1', marketId: '0xm1', outcome: 'Yes', outcomeIndex: 0 },
      ...{ tradedAt: at(180), alertedAt: START, endsAt: START + DAY_MS },
      ...{ heldShares: 32_000, peakShares: 80_000, soldShares: 48_000, hedgedShares: 0 },
      ...{ salePrice: 0.71, profitUsdc: 7_680, members: null },
    });
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
