import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { OrderMemory } from '../../../../src/core/record/observations/order-memory.ts';
import type { Trade, TradeRole } from '../../../../src/core/trades/trade.ts';
import { KeptParts, wholeOf } from '../../../support/state-parts.ts';
import { fillOf, HOUR_0, orderOf } from './observation-fixture.ts';

const SMALL = { segmentRows: 4, rows: 16 };
const none = () => {};

function memoryOf(...orders: Parameters<typeof fillOf>[0][]): OrderMemory {
  const memory = new OrderMemory(none);
  for (const given of orders) memory.add(orderOf(given));
  return memory;
}

const amounts = (memory: OrderMemory, hour = HOUR_0) =>
  memory.ordersOf('0xm1', hour).map(({ shares, usdc }) => [shares / 1e6, usdc / 1e6]);

describe('an order', () => {
  test('loses a removed fill whose source names the second before or after', () => {
    for (const at of [HOUR_0 + SECOND_MS, HOUR_0 + 2 * SECOND_MS, HOUR_0]) {
      const memory = memoryOf({ wallet: '0xa', shares: 10, at: HOUR_0 + SECOND_MS });
      expect(memory.remove(fillOf({ wallet: '0xa', shares: 4, at }))).toBe(HOUR_0 + SECOND_MS);
      expect(amounts(memory)).toEqual([[6, 3]]);
    }
  });

  test('in a third outcome of a market is left out', () => {
    const memory = memoryOf({ asset: '1' }, { asset: '2' }, { asset: '3' });
    expect(amounts(memory)).toHaveLength(2);
  });
});

describe('the memory', () => {
  test('forgets whole segments of which all rows are older than 27 hours, and says from when it is complete', () => {
    const memory = new OrderMemory(none, SMALL);
    for (let minute = 0; minute < 10; minute++)
      memory.add(orderOf({ wallet: `0x${minute}`, at: HOUR_0 + minute * MINUTE_MS }));
    expect(memory.completeFrom).toBe(HOUR_0);
    memory.advance(HOUR_0 + 27 * HOUR_MS);
    expect(memory.use).toMatchObject({ rows: 10, forgotten: 0 });
    memory.add(orderOf({ at: HOUR_0 + 28 * HOUR_MS }));
    memory.advance(HOUR_0 + 28 * HOUR_MS);
    expect(memory.use).toMatchObject({ rows: 3, forgotten: 0, markets: 1 });
    expect(memory.completeFrom).toBe(HOUR_0 + 7 * MINUTE_MS + SECOND_MS);
  });

  test('never holds more rows than its bound: the oldest leave first, counted, after a warning', () => {
    let warnings = 0;
    const memory = new OrderMemory(() => (warnings += 1), SMALL);
    for (let n = 0; n < 100; n++) {
      memory.add(orderOf({ wallet: `0x${n}`, marketId: `0xm${n % 30}`, at: HOUR_0 + n * SECOND_MS }));
      expect(memory.use.rows).toBeLessThanOrEqual(16);
    }
    expect(memory.use).toMatchObject({ rows: 16, forgotten: 84, markets: 16 });
    expect(memory.completeFrom).toBe(HOUR_0 + 84 * SECOND_MS);
    expect(warnings).toBe(21);
  });

  test('writes a full segment once, and drops it when it has left', () => {
    const memory = new OrderMemory(none, { segmentRows: 1_000, rows: 4_000 });
    const kept = new KeptParts();
    const add = (from: number, until: number) => {
      for (let n = from; n < until; n++)
        memory.add(orderOf({ wallet: `0x${n}`, at: HOUR_0 + n * SECOND_MS }));
    };
    add(0, 2_500);
    const first = kept.write(memory.parts);
    expect(kept.write(memory.parts)).toBeLessThan(200);
    add(2_500, 2_510);
    expect(kept.write(memory.parts)).toBeLessThan(first / 100);
    memory.remove(fillOf({ wallet: '0x7', at: HOUR_0 + 7 * SECOND_MS }));
    expect(kept.write(memory.parts)).toBeLessThan(300);
    add(2_510, 5_500);
    kept.write(memory.parts);
    expect([...memory.parts.keys()]).toEqual([
      'orders',
      'orderlog',
      'ordermarkets',
      'orders-2',
      'orders-3',
      'orders-4',
      'orders-5',
    ]);
    const restored = new OrderMemory(none, { segmentRows: 1_000, rows: 4_000 });
    restored.restore(kept.chunks);
    expect(wholeOf(restored.parts)).toEqual(wholeOf(memory.parts));
  });
});

/** What happens: an order, a fill of an earlier one, a removed fill, a snapshot, a restart, or an hour of the source. */
const anyStep = fc.record({
  kind: fc.constantFrom('order', 'order', 'order', 'order', 'removed', 'written', 'restart', 'hour'),
  wallet: fc.nat(3).map((n) => `0xw${n}`),
  market: fc.nat(2).map((n) => `0xm${n}`),
  asset: fc.constantFrom('1', '2'),
  side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
  shares: fc.integer({ min: 1, max: 900 }),
  role: fc.constantFrom<TradeRole | null>('taker', 'maker', null),
  /** Against the clock, which advances by a few minutes a step. */
  late: fc.constantFrom(0, 0, 0, 0, 1, 7, 60, 24 * 60),
});

interface Held {
  readonly fill: Trade;
  readonly at: number;
  shares: number;
  usdc: number;
  role: TradeRole | null;
}

class PlainMemory {
  segments: Held[][] = [];

  add(fill: Trade): void {
    if (this.segments.length === 0 || this.segments.at(-1)?.length === 4) this.segments.push([]);
    this.segments = this.segments.slice(-4);
    const usdc = Math.round(fill.shares * fill.price * 1e6);
    const shares = fill.shares * 1e6;
    let held = this.find(fill, fill.at, 0);
    if (held === undefined) {
      held = { fill, at: fill.at, shares, usdc, role: fill.role };
      this.segments.at(-1)?.push(held);
    } else {
      held.role = held.shares === 0 || held.role === fill.role ? fill.role : null;
      held.shares += shares;
      held.usdc += usdc;
    }
  }

  find(fill: Trade, at: number, least: number): Held | undefined {
    return this.segments
      .flat()
      .find(
        (held) =>
          held.at === at &&
          held.shares >= least &&
          (['wallet', 'asset', 'side', 'marketId'] as const).every((name) => held.fill[name] === fill[name]),
      );
  }

  remove(fill: Trade): void {
    for (const at of [fill.at, fill.at - SECOND_MS, fill.at + SECOND_MS]) {
      const held = this.find(fill, at, fill.shares * 1e6);
      if (held === undefined) continue;
      held.shares -= fill.shares * 1e6;
      held.usdc = held.shares === 0 ? 0 : Math.max(0, held.usdc - Math.round(fill.shares * fill.price * 1e6));
      return;
    }
  }

  advance(hour: number): void {
    while (this.segments[0]?.every(({ at }) => at < hour - 27 * HOUR_MS) === true) this.segments.shift();
  }

  ordersOf(marketId: string, hour: number) {
    const rows = this.segments.flat().filter((held) => held.fill.marketId === marketId);
    return rows
      .filter(({ at }) => at >= hour && at < hour + HOUR_MS)
      .toSorted((a, b) => a.at - b.at)
      .map(({ fill, at, shares, usdc, role }) => ({
        at,
        asset: fill.asset,
        isMaker: role === 'maker',
        usdc,
        shares,
      }));
  }
}

test('under any orders, late ones, removals, snapshots and restarts it holds what a plain list holds', () => {
  let seen = 0;
  fc.assert(
    fc.property(
      fc.array(anyStep, { minLength: 5, maxLength: 120, size: 'max' }),
      fc.constantFrom(1, 10, 90),
      (steps, minutes) => {
        let memory = new OrderMemory(none, SMALL);
        const plain = new PlainMemory();
        const kept = new KeptParts();
        for (const [index, { kind, market, late, ...fields }] of steps.entries()) {
          const now = HOUR_0 + index * minutes * MINUTE_MS;
          const fill = fillOf({ ...fields, marketId: market, at: now - late * MINUTE_MS, price: 0.5 });
          if (kind === 'order') {
            memory.add(orderOf(fill));
            plain.add(fill);
          } else if (kind === 'removed') {
            memory.remove(fill);
            plain.remove(fill);
          } else if (kind === 'hour') {
            const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
            memory.advance(hour);
            plain.advance(hour);
          } else {
            kept.write(memory.parts);
            if (kind === 'written') continue;
            memory = new OrderMemory(none, SMALL);
            memory.restore(kept.chunks);
          }
        }
        for (let n = 0; n <= 2; n++)
          for (let hour = HOUR_0 - 25 * HOUR_MS; hour <= HOUR_0 + 200 * HOUR_MS; hour += HOUR_MS) {
            const { baseAsset } = memory.market(`0xm${n}`) ?? { baseAsset: '' };
            const rows = memory.ordersOf(`0xm${n}`, hour).map(({ isOther, ...row }) => ({
              ...row,
              asset: isOther === (baseAsset === '1') ? '2' : '1',
            }));
            seen += rows.length;
            expect(rows).toEqual(plain.ordersOf(`0xm${n}`, hour));
          }
      },
    ),
    { numRuns: 100 },
  );
  expect(seen).toBeGreaterThan(150);
});
