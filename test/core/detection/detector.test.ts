import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { CLOSE, judgeAll } from '../../support/judge-rows.ts';
import { marketRow, START, tradeRow, walletRow } from '../../support/rows.ts';
import { minutes, typesOf } from './detector-fixture.ts';

describe('fresh', () => {
  test('one buy of 1,000 USDC by a wallet never seen on a complete tape alerts', () => {
    const [alert] = judgeAll([tradeRow({ usdc: 1_000, price: 0.4 })]);
    expect(alert).toMatchObject({ type: 'fresh', usdc: 1_000, entryPrice: 0.4, tradeCount: 1, side: 'BUY' });
    expect(alert?.details).toMatchObject({
      walletAgeDays: 0,
      marketBuyCount: 1,
      ruleVersion: DEFAULT_RULES.version,
    });
  });

  test.each([
    ['a buy below 1,000 USDC', { usdc: 999.99 }],
    ['a sale', { side: 'SELL' as const, usdc: 5_000 }],
    ['a price of 0.95 or more', { usdc: 5_000, price: 0.95 }],
    ['a price of 0.01 or less', { usdc: 5_000, price: 0.01 }],
    ['an up/down market', { usdc: 5_000, slug: 'btc-updown-15m-1763740800', title: 'Bitcoin Up or Down' }],
  ])('%s does not', (_name, given) => {
    expect(judgeAll([tradeRow(given)])).toEqual([]);
  });

  test('age counts at trade time: 14 days alert, a minute more does not', () => {
    const first = tradeRow({ usdc: 10 });
    expect(typesOf([first, tradeRow({ usdc: 2_000, at: START + 14 * DAY_MS })])).toEqual(['fresh']);
    expect(typesOf([first, tradeRow({ usdc: 2_000, at: START + 14 * DAY_MS + MINUTE_MS })])).toEqual([]);
  });

  test('markets count at trade time, the current one included: the 5th alerts, the 6th does not', () => {
    const small = (n: number) => tradeRow({ usdc: 10, marketId: `0xm${n}`, asset: `${n}` });
    const big = (n: number) => tradeRow({ usdc: 2_000, marketId: `0xm${n}`, asset: `${n}` });
    expect(typesOf([1, 2, 3, 4].map(small).concat(big(5)))).toEqual(['fresh']);
    expect(typesOf([1, 2, 3, 4, 5].map(small).concat(big(6)))).toEqual([]);
  });

  test('on a partial tape the age is unknown without a wallet row, and unknown is never fresh', () => {
    expect(typesOf([tradeRow({ usdc: 5_000 })], false)).toEqual([]);
    expect(typesOf([walletRow(), tradeRow({ usdc: 5_000 })], false)).toEqual(['fresh']);
  });

  test('markets traded before the wallet row count with those met after it', () => {
    const facts = (marketsTraded: number | null) => walletRow({ createdAt: START - DAY_MS, marketsTraded });
    expect(typesOf([facts(4), tradeRow({ usdc: 5_000 })], false)).toEqual(['fresh']);
    expect(typesOf([facts(5), tradeRow({ usdc: 5_000 })], false)).toEqual([]);
    expect(typesOf([facts(null), tradeRow({ usdc: 5_000 })], false)).toEqual([]);
  });

  test('an old account is not fresh however new it is to the tape', () => {
    expect(typesOf([walletRow({ createdAt: START - 30 * DAY_MS }), tradeRow({ usdc: 5_000 })])).toEqual([]);
  });

  test('sports are ignored by tag', () => {
    expect(typesOf([marketRow({ tags: ['sports', 'nba'] }), tradeRow({ usdc: 5_000 })])).toEqual([]);
  });
});

describe('fresh_accumulator', () => {
  const buys = (...usdc: number[]) =>
    usdc.map((amount, index) => tradeRow({ usdc: amount, at: minutes(index) }));

  test('three buys of one outcome, 2,500 USDC in all, alert with the total as their size', () => {
    const [alert] = judgeAll(buys(900, 800, 800));
    expect(alert).toMatchObject({ type: 'fresh_accumulator', usdc: 800, tradeCount: 3 });
    expect(alert?.details).toMatchObject({
      isAccumulating: true,
      marketBuyCount: 3,
      marketTotalBought: 2_500,
    });
  });

  test('two buys, or less than 2,500 USDC, do not', () => {
    expect(typesOf(buys(900, 900))).toEqual([]);
    expect(typesOf(buys(900, 800, 799))).toEqual([]);
  });

  test('selling more than two thirds again is no accumulation', () => {
    const sale = tradeRow({ side: 'SELL', usdc: 1_800, at: minutes(1) });
    expect(
      typesOf([
        ...buys(900),
        sale,
        tradeRow({ usdc: 900, at: minutes(2) }),
        tradeRow({ usdc: 800, at: minutes(3) }),
      ]),
    ).toEqual([]);
  });

  test('who has sold as many shares as bought holds nothing, however cheaply they went', () => {
    const sale = (shares: number) => tradeRow({ side: 'SELL', shares, price: 0.1, at: minutes(1) });
    const rows = (sold: number) => [
      ...buys(900),
      sale(sold),
      ...[2, 3].map((minute) => tradeRow({ usdc: 900, at: minutes(minute) })),
    ];
    expect(typesOf(rows(5_400))).toEqual([]);
    expect(typesOf(rows(5_399))).toEqual(['fresh_accumulator']);
  });

  test('holding more than 10 % of the shares in another outcome is a hedge', () => {
    const other = (shares: number) => tradeRow({ asset: '1002', outcome: 'No', outcomeIndex: 1, shares });
    expect(typesOf([other(600), ...buys(900, 800, 800)])).toEqual([]);
    expect(typesOf([other(400), ...buys(900, 800, 800)])).toEqual(['fresh_accumulator']);
  });

  test('a hedge at a price the rules ignore is still a hedge', () => {
    const other = tradeRow({ asset: '1002', outcome: 'No', outcomeIndex: 1, shares: 5_000, price: 0.96 });
    expect(typesOf([other, ...buys(900, 800, 800)])).toEqual([]);
  });
});

describe('threads', () => {
  const buy = (usdc: number, minute: number) => tradeRow({ usdc, at: minutes(minute) });

  test('the same wallet and outcome alert again only at twice the measure, however long ago', () => {
    expect(judgeAll([buy(1_000, 0), buy(1_400, 10)])).toHaveLength(1);
    expect(judgeAll([buy(1_000, 0), buy(1_999, 20_000)])).toHaveLength(1);
    expect(judgeAll([buy(1_000, 0), buy(2_000, 10)])).toHaveLength(2);
  });

  test('a higher type alerts immediately', () => {
    expect(typesOf([buy(1_000, 0), buy(800, 1), buy(800, 2)])).toEqual(['fresh', 'fresh_accumulator']);
  });
});

describe('markets', () => {
  test('an unknown market is described by the trade, and by its own row once it came', () => {
    const [before, after] = judgeAll([
      tradeRow({ usdc: 1_000 }),
      CLOSE,
      marketRow({ question: 'Will the Senate pass it?', slug: 'senate' }),
      tradeRow({ usdc: 4_000, wallet: '0xbb' }),
    ]);
    expect(before).toMatchObject({ eventTitle: 'Will the measure pass?', category: expect.any(String) });
    expect(after).toMatchObject({
      eventTitle: 'Will the Senate pass it?',
      eventSlug: 'senate',
      category: 'politics',
    });
  });

  test('the outcome index comes from the token where the trade does not know it', () => {
    const [alert] = judgeAll([
      marketRow(),
      tradeRow({ usdc: 1_000, asset: '1002', outcome: 'no', outcomeIndex: 999 }),
    ]);
    expect(alert?.outcomeIndex).toBe(1);
  });

  test('the outcome index comes from the trade where two outcomes have one name and the tokens are not known', () => {
    const [alert] = judgeAll([
      marketRow({ outcomes: ['Yes', 'Yes'], tokenIds: [] }),
      tradeRow({ usdc: 1_000, asset: '1002', outcome: 'Yes', outcomeIndex: 1 }),
    ]);
    expect(alert?.outcomeIndex).toBe(1);
  });
});

describe('edges', () => {
  test.each([0.1, 0.35, 0.65])(
    'at a price of %d an order’s points follow from what it publishes, in however many fills',
    (price) => {
      const shares = fc.array(fc.integer({ min: 100_000, max: 900_000 }), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(shares, (given) => {
          const fills = given.map((part) => tradeRow({ shares: part / 7, price, transaction: '0xone' }));
          const [alert] = judgeAll(fills);
          const { toWinUsdc = 0, reasons } = alert?.details ?? {};
          expect(alert?.entryPrice).toBe(price);
          expect(toWinUsdc).toBeCloseTo((Number(alert?.usdc) * (1 - price)) / price, 0);
          const points = Math.round((55 * Math.log10(toWinUsdc / 500)) / 2.7);
          expect(reasons?.find(({ factor }) => factor === 'to_win')?.points).toBe(Math.min(55, points));
        }),
      );
    },
  );

  test('a wallet’s facts read again do not forget the markets met since', () => {
    const facts = () => walletRow({ createdAt: START - DAY_MS, marketsTraded: 0 });
    const met = [1, 2, 3, 4, 5].map((n) => tradeRow({ usdc: 10, marketId: `0xm${n}`, asset: `${n}` }));
    const buy = tradeRow({ usdc: 5_000, marketId: '0xm9', asset: '9' });
    expect(typesOf([facts(), ...met.slice(0, 4), facts(), buy], false)).toEqual(['fresh']);
    expect(typesOf([facts(), ...met, facts(), buy], false)).toEqual([]);
  });

  test('a wallet that a row calls old before any time is known stays old', () => {
    const old = walletRow({ createdAt: START - 400 * DAY_MS, marketsTraded: 500 });
    expect(typesOf([old, tradeRow({ usdc: 10 }), tradeRow({ usdc: 5_000 })])).toEqual([]);
  });

  test('a market row without tags leaves what an earlier one said by them', () => {
    const rows = [
      marketRow({ tags: ['sports', 'nba'] }),
      marketRow({ tags: null }),
      tradeRow({ usdc: 5_000 }),
    ];
    expect(typesOf(rows)).toEqual([]);
    const [alert] = judgeAll([
      marketRow({ tags: ['economy'], category: 'finance' }),
      marketRow({ tags: null, category: 'other' }),
      tradeRow({ usdc: 5_000 }),
    ]);
    expect(alert?.category).toBe('finance');
  });

  test('a late alert does not lower what the next one has to reach', () => {
    const buy = (usdc: number, at: number) => tradeRow({ usdc, at: minutes(at) });
    expect(judgeAll([buy(10, -300), buy(10_000, 0), buy(1_000, -120), buy(2_000, 10)])).toHaveLength(2);
  });
});
