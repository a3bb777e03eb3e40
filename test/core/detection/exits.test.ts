import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { closeRow, marketRow, START, type tradeOf, tradeRow, walletRow } from '../../support/rows.ts';

const YES = { asset: '1001', outcome: 'Yes', outcomeIndex: 0 };
const NO = { asset: '1002', outcome: 'No', outcomeIndex: 1 };
const MARKET = marketRow({ outcomes: ['Yes', 'No'], tokenIds: ['1001', '1002'], endsAt: START + DAY_MS });

type Given = Partial<Parameters<typeof tradeOf>[0]> & { readonly shares: number };
const at = (minutes: number) => START + minutes * MINUTE_MS;
const buy = (minutes: number, given: Given): Row =>
  tradeRow({ ...YES, wallet: '0xw1', price: 0.55, at: at(minutes), ...given });
const sell = (minutes: number, given: Given): Row => buy(minutes, { price: 0.71, side: 'SELL', ...given });

function exitsOf(rows: readonly Row[], { isComplete = true, rules = DEFAULT_RULES } = {}): FoundExit[] {
  const detector = new Detector(rules, { isComplete });
  return [...rows, closeRow()].flatMap((row) => detector.judge(row).exits);
}

/** What is left of the peak, in percent, with the level and kind of each exit. */
const told = (rows: readonly Row[]) =>
  exitsOf(rows).map(({ level, kind, heldShares, peakShares, corrects }) => {
    const left = peakShares === 0 ? 0 : Math.round((100 * heldShares) / peakShares);
    return [corrects === null ? level : `not ${level}`, kind, left];
  });

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

  test('is found below half of the peak and below a twentieth, each once; both in one order are the lower one', () => {
    const bought = buy(0, { shares: 10_000 });
    expect(told([bought, sell(1, { shares: 5_000 })])).toEqual([]);
    expect(told([bought, sell(1, { shares: 5_001 }), sell(2, { shares: 4_499 })])).toEqual([
      ['half', 'sold', 50],
    ]);
    expect(told([bought, sell(1, { shares: 6_000 }), sell(2, { shares: 3_600 })])).toEqual([
      ['half', 'sold', 40],
      ['out', 'sold', 4],
    ]);
    const back = [buy(2, { shares: 9_000 }), sell(3, { shares: 9_900 })];
    expect(told([bought, sell(1, { shares: 9_900 }), ...back])).toEqual([['out', 'sold', 1]]);
  });

  test('is hedged by shares of the other outcome of two, and cashed out at 95¢ and more', () => {
    const hedge = buy(1, { ...NO, shares: 9_800 });
    const bought = buy(0, { shares: 10_000 });
    expect(told([MARKET, bought, hedge])).toEqual([['out', 'hedged', 2]]);
    expect(told([bought, hedge])).toEqual([]);
    const three = marketRow({ outcomes: ['Yes', 'No', 'Neither'] });
    expect(told([three, bought, hedge])).toEqual([]);
    expect(told([bought, sell(1, { shares: 9_000, price: 0.95 })])).toEqual([['half', 'cashed_out', 10]]);
    expect(told([bought, sell(1, { shares: 9_000, price: 0.949_999 })])).toEqual([['half', 'sold', 10]]);
    const [exit] = exitsOf([MARKET, bought, hedge]);
    expect(exit).toMatchObject({ salePrice: null, profitUsdc: null, hedgedShares: 9_800 });
  });
});

describe('a position is known', () => {
  const known = (rows: readonly Row[], isComplete: boolean) => {
    const detector = new Detector(DEFAULT_RULES, { isComplete });
    const judged = [...rows, closeRow()].map((row) => detector.judge(row));
    const alerts = judged.flatMap(({ candidates }) => candidates);
    return [
      alerts.map(({ details }) => details.isPositionKnown),
      judged.flatMap(({ exits }) => exits).length,
    ];
  };
  const trades = [buy(60, { shares: 10_000 }), sell(61, { shares: 10_000 })];
  const first = tradeRow({ wallet: '0xother', at: START, usdc: 1 });
  const facts = (createdAt: number, marketsTraded = 0) =>
    walletRow({ wallet: '0xw1', createdAt, marketsTraded });

  test('on a tape with all trades', () => expect(known(trades, true)).toEqual([[true], 1]));

  test.each([
    ['by a wallet that began after the source', facts(START + 1), [[true], 1]],
    ['not by one that began before it', facts(START - 1), [[false], 0]],
    ['not by one that traded in more markets than were seen', facts(START + 1, 1), [[false], 0]],
  ])('elsewhere %s', (_name, row, expected) => {
    expect(known([first, row, ...trades], false)).toEqual(expected);
  });

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
