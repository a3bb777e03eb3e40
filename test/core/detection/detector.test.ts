import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row, TradeRole } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll, judgeRows } from '../../support/judge-rows.ts';
import { marketRow, START, tradeOf, tradeRow, walletRow } from '../../support/rows.ts';

const typesOf = (rows: readonly Row[], isComplete = true) =>
  judgeAll(rows, isComplete).map(({ type }) => type);
const minutes = (count: number) => START + count * MINUTE_MS;

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

  test('on a partial tape the age is unknown without a wallet row, and unknown is never fresh', () => {
    expect(typesOf([tradeRow({ usdc: 5_000 })], false)).toEqual([]);
    expect(typesOf([walletRow(), tradeRow({ usdc: 5_000 })], false)).toEqual(['fresh']);
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
});

describe('an order is the fills of one wallet, asset and side in one second', () => {
  const fill = (shares: number, price = 0.5, at = START) => tradeRow({ shares, price, at });

  test('it is judged when a row names a later second, or with a close row', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    expect(detector.judge(fill(2_500)).candidates).toEqual([]);
    expect(detector.judge(walletRow({ wallet: '0xbb', at: START + 999 })).candidates).toEqual([]);
    const later = tradeRow({ wallet: '0xbb', usdc: 10, at: START + 5_000 });
    expect(detector.judge(later)).toMatchObject({
      candidates: [{ usdc: 1_250, tradedAt: START }],
      closedAt: START + 999,
    });
    detector.judge(tradeRow({ wallet: '0xcc', usdc: 1_000, at: START + 5_000 }));
    expect(detector.judge(CLOSE).candidates).toMatchObject([{ wallet: '0xcc' }]);
    expect(detector.judge(CLOSE).candidates).toEqual([]);
    expect(detector.time).toBe(START + 5_000);
  });

  test('a clock behind the trades does not cut an order of their second', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    const ahead = START + 5_000;
    const behind = Array.from({ length: 5 }, (_, n) =>
      detector.judge(fill(2_500, 0.5, ahead), START + n * 1_000),
    );
    expect(behind.flatMap(({ candidates }) => candidates)).toEqual([]);
    const later = detector.judge(tradeRow({ wallet: '0xbb', usdc: 10, at: ahead + 1_000 }), ahead + 1_000);
    expect(later.candidates).toMatchObject([{ usdc: 6_250, tradedAt: ahead }]);
  });
});

describe('cluster', () => {
  const wallet = (n: number) => `0x${String(n).padStart(40, '0')}`;
  const buy = (n: number, usdc: number, at: number) => tradeRow({ wallet: wallet(n), usdc, at: minutes(at) });

  test('three fresh wallets in one outcome within 60 minutes alert with their sum and names', () => {
    const [alert] = judgeAll([buy(1, 990, 0), buy(1, 100, 5), buy(2, 960, 30), buy(3, 950, 60)]);
    expect(alert).toMatchObject({ type: 'cluster', wallet: wallet(3), tradeCount: 4, usdc: 950 });
    expect(alert?.details).toMatchObject({ wallets: [1, 2, 3].map(wallet), clusterTotal: 3_000 });
  });

  test.each([
    ['two wallets', [buy(1, 999, 0), buy(2, 999, 1), buy(2, 998, 2)]],
    ['a sum below 3,000', [buy(1, 990, 0), buy(2, 990, 1), buy(3, 990, 2)]],
    ['more than 60 minutes', [buy(1, 999, 0), buy(2, 998, 30), buy(3, 997, 61), buy(4, 240, 61)]],
    ['a wallet below 250', [buy(1, 999, 0), buy(2, 999, 1), buy(3, 249, 2), buy(4, 249, 3)]],
  ])('%s is none', (_name, rows) => {
    expect(typesOf(rows).filter((type) => type === 'cluster')).toEqual([]);
  });

  test('is reported with a wallet that belongs to it, not with an unrelated small buyer', () => {
    const rows = [buy(9, 100, 0), buy(1, 999, 0), buy(3, 999, 0), buy(2, 1_002, 0)];
    const clusters = judgeAll(rows).filter(({ type }) => type === 'cluster');
    expect(clusters).toMatchObject([{ wallet: wallet(3), usdc: 999, details: { clusterTotal: 3_000 } }]);
    expect(typesOf([...rows.slice(1, 3), buy(9, 249, 1), buy(8, 249, 2)])).toEqual([]);
  });

  test('a late piece of an order that its position has forgotten takes nothing out of the window', () => {
    const many = Array.from({ length: 33 }, (_, n) => buy(1, 1, 1 + n));
    const rows = [buy(1, 900, 0), ...many, CLOSE, buy(1, 1, 0), CLOSE, buy(2, 1_100, 40), buy(3, 1_100, 41)];
    const [cluster] = judgeAll(rows).filter(({ type }) => type === 'cluster');
    expect(cluster?.details.wallets).toHaveLength(3);
  });
});

describe('buys that came before the facts of their wallet', () => {
  const of = (wallet: string, usdc: number, minute: number) =>
    tradeRow({ wallet, usdc, at: minutes(minute) });
  const facts = (wallet: string) => walletRow({ wallet, marketsTraded: 0 });
  const known = [facts('0xb'), facts('0xc')];
  const clusters = (rows: readonly Row[]) =>
    judgeAll([...known, ...rows], false).filter(({ type }) => type === 'cluster');

  test('count for a cluster for the 60 minutes of its window, both ends included', () => {
    const rows = (first: number) => [
      of('0xa', 200, first),
      ...[of('0xb', 1_500, 60), of('0xc', 1_500, 60), of('0xa', 100, 60)],
      ...[facts('0xa'), of('0xa', 100, 60)],
    ];
    expect(clusters(rows(0))).toMatchObject([{ details: { wallets: ['0xa', '0xb', '0xc'] } }]);
    expect(clusters(rows(-1))).toEqual([]);
  });

  test('do not count once late fills have moved the price of their order to one that does not', () => {
    const late = tradeRow({ wallet: '0xa', at: minutes(0), shares: 100_000, price: 0.99 });
    const rest = [facts('0xa'), of('0xb', 1_500, 1), of('0xc', 1_500, 1), of('0xa', 240, 1)];
    expect(clusters([of('0xa', 240, 0), CLOSE, ...rest])).toHaveLength(1);
    expect(clusters([of('0xa', 240, 0), CLOSE, late, CLOSE, ...rest])).toEqual([]);
  });
});

describe('late and out of order', () => {
  test('a trade up to 24 h old is judged at its own time, an older one is dropped as late', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    detector.judge(tradeRow({ wallet: '0xother', usdc: 10, at: START + 2 * DAY_MS }));
    expect(judgeRows(detector, [tradeRow({ usdc: 2_000, at: START + DAY_MS })])).toHaveLength(1);
    expect(detector.judge(tradeRow({ usdc: 2_000, at: START + DAY_MS - 1 })).dropped).toBe('late');
  });

  test('time never runs ahead of the ceiling', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    detector.judge(tradeRow({ at: START + HOUR_MS }), START);
    expect(detector.time).toBe(START);
  });
});

test('the outcome index comes from the trade where two outcomes have one name and the tokens are not known', () => {
  const [alert] = judgeAll([
    marketRow({ outcomes: ['Yes', 'Yes'], tokenIds: [] }),
    tradeRow({ usdc: 1_000, asset: '1002', outcome: 'Yes', outcomeIndex: 1 }),
  ]);
  expect(alert?.outcomeIndex).toBe(1);
});

test('the role is no part of the key and the score, and a fill that comes again with one changes nothing', () => {
  const trade = tradeOf({ usdc: 2_000 });
  const rows = (role: TradeRole | null): Row => ({ kind: 'trade', at: trade.at, trade: { ...trade, role } });
  const [unknown, maker] = [judgeAll([rows(null)])[0], judgeAll([rows('maker')])[0]];
  expect(maker).toEqual({ ...unknown, details: { ...unknown?.details, role: 'maker' } });

  const detector = new Detector(DEFAULT_RULES, { isComplete: true });
  detector.judge(rows(null));
  expect(detector.judge(rows('maker')).dropped).toBe('repeat');
  expect(detector.judge(CLOSE).candidates).toEqual([unknown]);
});
