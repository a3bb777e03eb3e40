import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { fromChunkText } from '../../../src/core/detection/state-chunks.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll, judgeRows } from '../../support/judge-rows.ts';
import { START, tradeOf, tradeRow, walletRow } from '../../support/rows.ts';

const take = (trade: Trade): Row => ({ kind: 'trade', at: trade.at, trade });
const remove = (trade: Trade): Row => ({ kind: 'removed', at: trade.at, trade });
const minute = (count: number) => START + count * MINUTE_MS;
const complete = () => new Detector(DEFAULT_RULES, { isComplete: true });

const sizes = (rows: readonly Row[], isComplete = true) =>
  judgeAll(rows, isComplete).map(({ type, usdc, details }) => [type, usdc, details.marketTotalBought]);

describe('a removed fill', () => {
  test('that is pending leaves its order before that is judged', () => {
    const [kept, gone] = [tradeOf({ usdc: 1_100 }), tradeOf({ usdc: 4_000 })];
    expect(sizes([take(kept), take(gone), remove(gone)])).toEqual([['fresh', 1_100, 1_100]]);
    expect(sizes([take(gone), remove(gone)])).toEqual([]);
  });

  test('that is booked leaves its order and its position, and a later order is stated without it', () => {
    const gone = tradeOf({ usdc: 900 });
    const later = tradeOf({ usdc: 1_500, at: minute(1) });
    expect(sizes([take(gone), CLOSE, remove(gone), take(later)])).toEqual([['fresh', 1_500, 1_500]]);
  });

  test('of an order with other fills leaves them: late fills join what is left', () => {
    const [gone, kept, late] = [900, 500, 600].map((usdc) => tradeOf({ usdc }));
    const rows = [take(gone as Trade), take(kept as Trade), CLOSE];
    const [alert] = judgeAll([tradeRow({ usdc: 1, at: START - MINUTE_MS }), ...rows]);
    expect(alert).toMatchObject({ usdc: 1_400 });
    expect(sizes([...rows.slice(0, 2), remove(gone as Trade), CLOSE, take(late as Trade)])).toEqual([
      ['fresh', 1_100, 1_100],
    ]);
  });

  test('brings no alert, not even where it moves a price back to where it counts', () => {
    const [kept, dear] = [tradeOf({ usdc: 5_000, price: 0.5 }), tradeOf({ usdc: 900_000, price: 0.99 })];
    const detector = complete();
    for (const row of [take(kept), take(dear), CLOSE]) expect(detector.judge(row).candidates).toEqual([]);
    expect(detector.judge(remove(dear))).toMatchObject({ dropped: null, candidates: [] });
    const [alert] = judgeRows(detector, [take(tradeOf({ usdc: 1_000, at: minute(1) }))]);
    expect(alert?.details).toMatchObject({ marketBuyCount: 2, marketTotalBought: 6_000 });
  });

  test('leaves the price of its order, which then may not count any more', () => {
    const [dear, gone] = [tradeOf({ usdc: 400, price: 0.96 }), tradeOf({ usdc: 400, price: 0.5 })];
    const rows = [take(dear), take(gone), CLOSE, remove(gone), take(tradeOf({ usdc: 1_000, at: minute(1) }))];
    expect(sizes(rows)).toEqual([['fresh', 1_000, 1_000]]);
  });

  test('of a sale gives the shares back, so that the position accumulates again', () => {
    const sale = tradeOf({ side: 'SELL', usdc: 2_500, at: minute(1) });
    const buys = [0, 1, 2, 4].map((n) => take(tradeOf({ usdc: 900, at: minute(n) })));
    const types = (rows: readonly Row[]) => judgeAll(rows).map(({ type, tradeCount }) => [type, tradeCount]);
    const split = [...buys.slice(0, 2), take(sale), ...buys.slice(2)];
    expect(types(split)).toEqual([]);
    expect(types([...buys.slice(0, 2), take(sale), remove(sale), ...buys.slice(2)])).toEqual([
      ['fresh_accumulator', 3],
    ]);
  });

  test('is found by its key, whatever its source says of the last digits of the price and of the second', () => {
    const taken = tradeOf({ shares: 2_000, price: 0.45 });
    const named = { ...taken, price: 0.450_000_3, at: START + SECOND_MS };
    const later = take(tradeOf({ usdc: 1_000, at: minute(1) }));
    expect(sizes([take(taken), CLOSE, remove(named), later])).toEqual([['fresh', 1_000, 1_000]]);
    expect(sizes([take(taken), remove(named), later])).toEqual([['fresh', 1_000, 1_000]]);
  });

  test.each([
    ['of another ordinal', { ordinal: 2 }],
    ['of another size', { shares: 1 }],
    ['of another transaction', { transaction: '0xother' }],
  ])('that was never taken, %s, is dropped and changes nothing', (_name, other) => {
    const taken = tradeOf({ usdc: 900 });
    const detector = complete();
    for (const row of [take(taken), CLOSE]) detector.judge(row);
    const before = [...detector.snapshot()];
    expect(detector.judge(remove({ ...taken, ...other }))).toMatchObject({ dropped: 'unknown_fill' });
    expect([...detector.snapshot()]).toEqual(before);
  });

  test('is unknown the second time, and after 24 hours', () => {
    const taken = tradeOf({ usdc: 900 });
    const detector = complete();
    for (const row of [take(taken), remove(taken)]) expect(detector.judge(row).dropped).toBeNull();
    expect(detector.judge(remove(taken)).dropped).toBe('unknown_fill');
    detector.judge(take(taken));
    detector.judge(tradeRow({ at: START + DAY_MS + HOUR_MS }));
    expect(detector.judge(remove(taken)).dropped).toBe('unknown_fill');
  });

  test('may come again, into its order, and is known until then as not seen', () => {
    const taken = tradeOf({ usdc: 1_200 });
    const detector = complete();
    for (const row of [take(taken), remove(taken)]) detector.judge(row);
    expect(detector.hasSeen(taken)).toBe(false);
    expect(judgeRows(detector, [take(taken)])).toMatchObject([{ usdc: 1_200 }]);
    expect(detector.hasSeen(taken)).toBe(true);
  });

  test('of an alerted order leaves the alert and what the next one has to exceed; the order gives no other one', () => {
    const taken = tradeOf({ usdc: 2_000 });
    const rest = [take(taken), take(tradeOf({ usdc: 3_999, at: minute(1) }))];
    expect(sizes([take(taken), CLOSE, remove(taken), ...rest])).toEqual([['fresh', 2_000, 2_000]]);
    expect(sizes([take(taken), CLOSE, remove(taken), take(tradeOf({ usdc: 4_000, at: minute(1) }))])).toEqual(
      [
        ['fresh', 2_000, 2_000],
        ['fresh', 4_000, 4_000],
      ],
    );
  });

  test('leaves the window of its outcome: a cluster is stated without it', () => {
    const buy = (wallet: string, usdc = 950) => tradeOf({ wallet, usdc, price: 0.5 });
    const gone = buy('0xc');
    const others = ['0xa', '0xb', '0xd', '0xe'].map((wallet) => take(buy(wallet)));
    const rows = [take(gone), ...others.slice(0, 2), CLOSE, remove(gone), ...others.slice(2)];
    expect(judgeAll(rows)).toMatchObject([
      { type: 'cluster', details: { wallets: ['0xa', '0xb', '0xd', '0xe'] } },
    ]);
    expect(judgeAll(rows.slice(0, -1))).toEqual([]);
  });

  test('takes its order out of the window where what is left does not count', () => {
    const buy = (wallet: string, price = 0.5) => tradeOf({ wallet, usdc: 950, price });
    const [dear, gone] = [buy('0xc', 0.96), buy('0xc')];
    const others = ['0xa', '0xb', '0xd', '0xe'].map((wallet) => take(buy(wallet)));
    const rows = [take(dear), take(gone), ...others.slice(0, 1), CLOSE, remove(gone), ...others.slice(1)];
    expect(judgeAll(rows).at(-1)?.details.wallets).toEqual(['0xa', '0xb', '0xd', '0xe']);
  });

  test('leaves the buys that wait for the facts of its wallet', () => {
    const wallets = ['0xa', '0xb', '0xc'];
    const facts = wallets.map((wallet) => walletRow({ wallet, marketsTraded: 0 }));
    const buys = (usdc: number, at: number) => wallets.map((wallet) => tradeRow({ wallet, usdc, at }));
    const gone = tradeOf({ wallet: '0xc', usdc: 900 });
    const [early, late] = [
      [...buys(5, START), tradeRow({ usdc: 3_000, wallet: '0xa' })],
      [...facts, ...buys(240, minute(1))],
    ];
    const clusters = (rows: readonly Row[]) => judgeAll(rows, false).filter(({ type }) => type === 'cluster');
    const two = [take(tradeOf({ wallet: '0xb', usdc: 900 })), take(gone), CLOSE];
    expect(clusters([...early, ...two, ...late])).toHaveLength(1);
    expect(clusters([...early, ...two, remove(gone), ...late])).toEqual([]);
    expect(clusters([...early, ...two, remove(gone), take(gone), ...late])).toHaveLength(1);
  });

  test('leaves the volume of its market', () => {
    const big = tradeOf({ wallet: '0xb', side: 'SELL', usdc: 60_000 });
    const buy = take(tradeOf({ usdc: 6_000, at: minute(1) }));
    const parts = (rows: readonly Row[]) =>
      judgeAll(rows).flatMap(({ details }) => details.reasons.map(({ factor }) => factor));
    expect(parts([take(big), CLOSE, buy])).not.toContain('timing');
    expect(parts([take(big), CLOSE, remove(big), buy])).toContain('timing');
  });

  test('makes no wallet fresher: its first trade and its markets stay', () => {
    const early = tradeOf({ usdc: 10 });
    const late = take(tradeOf({ usdc: 2_000, at: START + 15 * DAY_MS }));
    expect(sizes([take(early), CLOSE, remove(early), late])).toEqual([]);
    const others = [1, 2, 3, 4, 5].map((n) => tradeOf({ usdc: 10, marketId: `0xo${n}`, asset: `${n}` }));
    const rows = [
      ...others.map(take),
      CLOSE,
      ...others.map(remove),
      take(tradeOf({ usdc: 2_000, at: minute(1) })),
    ];
    expect(sizes(rows)).toEqual([]);
  });

  test('neither raises the time of its source nor closes what is open', () => {
    const detector = complete();
    detector.judge(tradeRow({ usdc: 2_000 }));
    expect(detector.judge(remove(tradeOf({ at: START + HOUR_MS }))).candidates).toEqual([]);
    expect(detector.time).toBe(START);
    expect(detector.judge(CLOSE).candidates).toHaveLength(1);
  });
});

/**
 * What is remembered but for what stays of a removed fill: its empty order, an hour in which nothing was traded, the rank of a wallet,
 * which never falls, and the peaks of followed positions.
 */
function stateOf(detector: Detector): unknown[] {
  return [...detector.snapshot()]
    .map(fromChunkText)
    .filter(({ part, text }) => text.startsWith('[') && part !== 'fills' && part !== 'followed')
    .flatMap(({ part, text }) => (JSON.parse(text) as unknown[]).map((item) => JSON.stringify([part, item])))
    .map((text) => text.replaceAll(/\{"at":\d+,"usdc":0,"shares":0,[^}]*\},?/g, '').replaceAll(',]', ']'))
    .map((text) => text.replace(/"rank":\d/, ''))
    .map((text) => text.replaceAll(/"volumeHours":\[[^\]]*\]/g, ''))
    .toSorted();
}

const anyTrade = fc
  .record({
    wallet: fc.integer({ min: 1, max: 4 }).map((n) => `0xw${n}`),
    usdc: fc.constantFrom(40, 240, 400, 900),
    price: fc.constantFrom(0.2, 0.5, 0.7),
    side: fc.constantFrom('BUY' as const, 'BUY' as const, 'BUY' as const, 'SELL' as const),
    second: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ second, ...given }) => tradeOf({ ...given, at: START + second * 3 * MINUTE_MS }));

test('a fill that comes and is removed before its thread alerts changes no later alert, nor the state but for its empty order', () => {
  let compared = 0;
  const anyTape = fc.array(anyTrade, { minLength: 3, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(anyTape, anyTrade, fc.nat({ max: 5 }), (trades, inserted, delay) => {
      const opening = [1, 2, 3, 4].map((n) =>
        tradeOf({ wallet: `0xw${n}`, usdc: 20, at: START - MINUTE_MS }),
      );
      const ordered = [...opening, ...trades.toSorted((a, b) => a.at - b.at)];
      const place = ordered.findLastIndex(({ at }) => at <= inserted.at) + 1;
      const end = Math.min(ordered.length, place + delay);
      const [before, between, after] = [
        ordered.slice(0, place),
        ordered.slice(place, end),
        ordered.slice(end),
      ];
      const [without, withIt] = [complete(), complete()];
      const first = judgeRows(without, [...before, ...between].map(take));
      const second = judgeRows(withIt, [...before, inserted, ...between].map(take));
      withIt.judge(remove(inserted));
      if (JSON.stringify(first) !== JSON.stringify(second)) return;
      compared += 1;
      expect(stateOf(withIt)).toEqual(stateOf(without));
      expect(judgeRows(withIt, after.map(take))).toEqual(judgeRows(without, after.map(take)));
    }),
    { numRuns: 150 },
  );
  expect(compared).toBeGreaterThan(15);
});
