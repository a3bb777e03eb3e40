import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { fromChunkText } from '../../../src/core/detection/state-chunks.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll, judgeRows } from '../../support/judge-rows.ts';
import { START, tradeOf, tradeRow } from '../../support/rows.ts';

const take = (trade: Trade): Row => ({ kind: 'trade', at: trade.at, trade });
const remove = (trade: Trade): Row => ({ kind: 'removed', at: trade.at, trade });
const minute = (count: number) => START + count * MINUTE_MS;
const complete = () => new Detector(DEFAULT_RULES, { isComplete: true });

const sizes = (rows: readonly Row[], isComplete = true) =>
  judgeAll(rows, isComplete).map(({ type, usdc, details }) => [type, usdc, details.marketTotalBought]);

describe('a removed fill', () => {
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
