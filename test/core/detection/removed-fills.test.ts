import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import type { Row, Trade } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeAll } from '../../support/judge-rows.ts';
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

  test('neither raises the time of its source nor closes what is open', () => {
    const detector = complete();
    detector.judge(tradeRow({ usdc: 2_000 }));
    expect(detector.judge(remove(tradeOf({ at: START + HOUR_MS }))).candidates).toEqual([]);
    expect(detector.time).toBe(START);
    expect(detector.judge(CLOSE).candidates).toHaveLength(1);
  });
});
