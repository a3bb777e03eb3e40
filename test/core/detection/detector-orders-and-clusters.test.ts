import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll, judgeRows } from '../../support/judge-rows.ts';
import { START, tradeRow, walletRow } from '../../support/rows.ts';
import { minutes, typesOf } from './detector-fixture.ts';

describe('an order is the fills of one wallet, asset and side in one second', () => {
  const fill = (shares: number, price = 0.5, at = START) => tradeRow({ shares, price, at });
  const close = (rows: readonly Row[]) => rows.flatMap((row) => [row, CLOSE]);

  test('its fills reach the floor together, at their mean price, across transactions', () => {
    const alerts = judgeAll([fill(1_000, 0.4), fill(1_100, 0.6)]);
    expect(alerts).toMatchObject([{ type: 'fresh', usdc: 1_060, shares: 2_100, entryPrice: 0.504762 }]);
    expect(alerts[0]?.details.marketBuyCount).toBe(1);
  });

  test('the alert states all of it, once, with the price floors applied to the mean', () => {
    expect(judgeAll([fill(2_000), fill(4_000), fill(8_000)])).toMatchObject([{ usdc: 7_000 }]);
    expect(judgeAll([fill(5_000, 0.9), fill(5_000, 0.999)])).toMatchObject([{ usdc: 9_495 }]);
    expect(judgeAll([fill(5_000, 0.93), fill(5_000, 0.98)])).toEqual([]);
  });

  test('another second, asset, side or wallet is another order', () => {
    const other = [{ at: START + 1_000 }, { asset: '1002' }, { wallet: '0xbb' }, { side: 'SELL' as const }];
    for (const given of other)
      expect(judgeAll([tradeRow({ usdc: 600 }), tradeRow({ usdc: 600, ...given })])).toEqual([]);
    expect(judgeAll([tradeRow({ usdc: 600 }), tradeRow({ usdc: 600, at: START + 999 })])).toHaveLength(1);
  });

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

  test('the findings of one second are sorted by wallet and asset', () => {
    const buy = (wallet: string, asset: string) =>
      tradeRow({ usdc: 2_000, wallet, asset, marketId: `0x${asset}` });
    const rows = [buy('0xb', '2'), buy('0xa', '3'), buy('0xb', '1'), buy('0xa', '10')];
    expect(judgeAll(rows).map(({ key }) => key)).toEqual(
      ['0xa:10', '0xa:3', '0xb:1', '0xb:2'].map((order) => `w:${order}:BUY:${START / 1_000}`),
    );
  });

  test('a late fill joins silently: position, sums and measure are as if it had come in time', () => {
    const [first, second] = [fill(2_000), fill(98_000)];
    const next = (usdc: number) => tradeRow({ usdc, at: START + MINUTE_MS });
    expect(judgeAll([...close([first, second]), next(99_000)])).toHaveLength(1);
    const [, doubled] = judgeAll([...close([first, second]), next(100_000)]);
    expect(doubled?.details).toMatchObject({
      marketBuyCount: 2,
      marketTotalBought: 150_000,
      positionShares: 300_000,
    });
  });

  test('an order without a finding is judged again when a late fill makes it large enough, under the same key', () => {
    const late = judgeAll(close([fill(1_900), fill(1_900), fill(1_900)]));
    expect(late).toMatchObject([{ usdc: 1_900 }]);
    expect(late.map(({ key }) => key)).toEqual(judgeAll([fill(1_900), fill(1_900)]).map(({ key }) => key));
  });

  test('a late fill that takes the mean out of the band takes the order out of the sums', () => {
    const rows = close([fill(1_000, 0.94), fill(9_000, 0.99)]);
    const [alert] = judgeAll([...rows, tradeRow({ usdc: 2_000, at: START + MINUTE_MS })]);
    expect(alert?.details).toMatchObject({ marketBuyCount: 1, marketTotalBought: 2_000 });
  });

  test('10,000 open fills are judged before they are whole', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    const rows = Array.from({ length: 10_000 }, () => fill(1));
    const found = rows.map((row) => detector.judge(row).candidates.length);
    expect(found.indexOf(1)).toBe(9_999);
  });

  test('the same fill reported twice counts once', () => {
    const row = tradeRow({ shares: 1_500 });
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    expect(detector.judge(row).dropped).toBeNull();
    expect(detector.judge(row)).toMatchObject({ dropped: 'repeat', candidates: [] });
    expect(detector.judge(CLOSE).candidates).toEqual([]);
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

  test('it is reported again only at twice the total, however long ago', () => {
    const first = [buy(1, 999, 0), buy(2, 999, 1), buy(3, 999.9, 2), buy(4, 300, 3)];
    expect(typesOf([...first, buy(5, 900, 10)]).filter((type) => type === 'cluster')).toHaveLength(1);
    const hoursLater = [5, 6, 7, 8].map((n) => buy(n, 999, 3_000));
    expect(typesOf([...first, ...hoursLater]).filter((type) => type === 'cluster')).toHaveLength(1);
    const doubling = [5, 6, 7, 8].map((n) => buy(n, 999, 10));
    expect(typesOf([...first, ...doubling]).filter((type) => type === 'cluster')).toHaveLength(2);
  });

  test('a late piece of an order that its position has forgotten takes nothing out of the window', () => {
    const many = Array.from({ length: 33 }, (_, n) => buy(1, 1, 1 + n));
    const rows = [buy(1, 900, 0), ...many, CLOSE, buy(1, 1, 0), CLOSE, buy(2, 1_100, 40), buy(3, 1_100, 41)];
    const [cluster] = judgeAll(rows).filter(({ type }) => type === 'cluster');
    expect(cluster?.details.wallets).toHaveLength(3);
  });

  test('a second gives one cluster of an outcome, reported whole with the last of its wallets', () => {
    const rows = [9, 4, 7, 5].map((n) => buy(n, n === 9 ? 9_000 : 990, 0));
    const whole = judgeAll(rows).filter(({ type }) => type === 'cluster');
    expect(whole).toMatchObject([
      { wallet: wallet(9), details: { clusterTotal: 11_970, clusterShares: 23_940, clusterAvgPrice: 0.5 } },
    ]);
    const inPieces = judgeAll(rows.flatMap((row) => [row, CLOSE])).filter(({ type }) => type === 'cluster');
    expect(inPieces.map(({ key }) => key)).toEqual(whole.map(({ key }) => key));
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
  test('a buy that comes late completes the cluster it was a part of', () => {
    const buys = [1, 2, 3].map((n) => tradeRow({ wallet: `0x${n}`, usdc: 999.9 + n / 10, at: minutes(n) }));
    const [first, second, third] = buys as [Row, Row, Row];
    const clusters = (rows: readonly Row[]) => judgeAll(rows).filter(({ type }) => type === 'cluster');
    expect(clusters([second, third, first])).toMatchObject([
      { wallet: '0x3', details: { wallets: ['0x1', '0x2', '0x3'], clusterTotal: 3_000.3 } },
    ]);
    expect(clusters([second, third, CLOSE, first])).toMatchObject([
      { wallet: '0x1', details: { wallets: ['0x1', '0x2', '0x3'], clusterTotal: 3_000.3 } },
    ]);
    const lateAndSmall = tradeRow({ wallet: '0x1', usdc: 249, at: minutes(1) });
    expect(clusters([second, third, CLOSE, lateAndSmall])).toEqual([]);
    expect(clusters([second, tradeRow({ wallet: '0x3', usdc: 999, at: minutes(62) }), first])).toEqual([]);
  });

  test('a trade up to 24 h old is judged at its own time, an older one is dropped as late', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    detector.judge(tradeRow({ wallet: '0xother', usdc: 10, at: START + 2 * DAY_MS }));
    expect(judgeRows(detector, [tradeRow({ usdc: 2_000, at: START + DAY_MS })])).toHaveLength(1);
    expect(detector.judge(tradeRow({ usdc: 2_000, at: START + DAY_MS - 1 })).dropped).toBe('late');
  });

  test('markets first traded later do not count for a trade of before', () => {
    const rows = [1, 2, 3, 4, 5].map((n) =>
      tradeRow({ usdc: 10, marketId: `0xm${n}`, asset: `${n}`, at: minutes(60) }),
    );
    const late = tradeRow({ usdc: 2_000, marketId: '0xm9', asset: '9', at: minutes(10) });
    expect(typesOf([...rows, late])).toEqual(['fresh']);
  });

  test('time never runs ahead of the ceiling', () => {
    const detector = new Detector(DEFAULT_RULES, { isComplete: true });
    detector.judge(tradeRow({ at: START + HOUR_MS }), START);
    expect(detector.time).toBe(START);
  });
});
