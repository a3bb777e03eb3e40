import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { OrderLog } from '../../../../src/core/record/observations/order-log.ts';
import { OrderMemory } from '../../../../src/core/record/observations/order-memory.ts';
import { KeptParts, wholeOf } from '../../../support/state-parts.ts';
import { fillOf, HOUR_0, orderOf } from './observation-fixture.ts';

const SMALL = { segmentRows: 4, rows: 16, largeBuys: 1_000 };
const none = () => {};

function memoryOf(...orders: Parameters<typeof fillOf>[0][]): OrderMemory {
  const memory = new OrderMemory(none);
  for (const given of orders) memory.add(orderOf(given), 'unknown');
  return memory;
}

const amounts = (memory: OrderMemory, hour = HOUR_0) =>
  memory.ordersOf('0xm1', hour).map(({ shares, usdc, role }) => [shares / 1e6, usdc / 1e6, role]);

describe('an order', () => {
  test('loses a removed fill whose source names the second before or after', () => {
    for (const at of [HOUR_0 + SECOND_MS, HOUR_0 + 2 * SECOND_MS, HOUR_0]) {
      const memory = memoryOf({ wallet: '0xa', shares: 10, at: HOUR_0 + SECOND_MS });
      expect(memory.remove(fillOf({ wallet: '0xa', shares: 4, at }))).toBe(HOUR_0 + SECOND_MS);
      expect(amounts(memory)).toEqual([[6, 3, null]]);
    }
  });

  test('in a third outcome of a market is left out', () => {
    const memory = memoryOf({ asset: '1' }, { asset: '2' }, { asset: '3' });
    expect(amounts(memory)).toHaveLength(2);
  });
});

test('an order is looked for among those of its own time, also after one that came late', () => {
  const memory = memoryOf({ wallet: '0xfirst', at: HOUR_0 + 3 * SECOND_MS }, { wallet: '0xlate' });
  const reads = vi.spyOn(OrderLog.prototype, 'segmentOf');
  for (let n = 0; n < 2_000; n++)
    memory.add(orderOf({ wallet: `0x${n}`, at: HOUR_0 + Math.floor(n / 2) * SECOND_MS }), 'unknown');
  expect(reads.mock.calls.length).toBeLessThan(2_000 * 20);
  reads.mockRestore();
});

describe('the memory', () => {
  test('forgets whole segments of which all rows are older than 27 hours, and says from when it is complete', () => {
    const memory = new OrderMemory(none, SMALL);
    for (let minute = 0; minute < 10; minute++)
      memory.add(orderOf({ wallet: `0x${minute}`, at: HOUR_0 + minute * MINUTE_MS }), 'unknown');
    expect(memory.completeFrom).toBe(HOUR_0);
    memory.advance(HOUR_0 + 27 * HOUR_MS);
    expect(memory.use).toMatchObject({ rows: 10, forgotten: 0 });
    memory.add(orderOf({ at: HOUR_0 + 28 * HOUR_MS }), 'unknown');
    memory.advance(HOUR_0 + 28 * HOUR_MS);
    expect(memory.use).toMatchObject({ rows: 3, forgotten: 0, markets: 1 });
    expect(memory.completeFrom).toBe(HOUR_0 + 7 * MINUTE_MS + SECOND_MS);
  });

  test('of a market is gone with its last row, and restarts with the outcome that comes next', () => {
    const memory = new OrderMemory(none, SMALL);
    memory.add(orderOf({ asset: '1' }), 'unknown');
    memory.advance(HOUR_0 + 30 * HOUR_MS);
    expect(memory.use).toMatchObject({ rows: 0, markets: 0 });
    memory.add(orderOf({ asset: '2', at: HOUR_0 + 30 * HOUR_MS }), 'unknown');
    expect(memory.market('0xm1')).toMatchObject({ baseAsset: '2', otherAsset: null });
  });

  test('never holds more rows than its bound: the oldest leave first, counted, after a warning', () => {
    let warnings = 0;
    const memory = new OrderMemory(() => (warnings += 1), SMALL);
    for (let n = 0; n < 100; n++) {
      memory.add(
        orderOf({ wallet: `0x${n}`, marketId: `0xm${n % 30}`, at: HOUR_0 + n * SECOND_MS }),
        'unknown',
      );
      expect(memory.use.rows).toBeLessThanOrEqual(16);
    }
    expect(memory.use).toMatchObject({ rows: 16, forgotten: 84, markets: 16 });
    expect(memory.completeFrom).toBe(HOUR_0 + 84 * SECOND_MS);
    expect(warnings).toBe(21);
  });

  test('writes a full segment once, and drops it when it has left', () => {
    const memory = new OrderMemory(none, { segmentRows: 1_000, rows: 4_000, largeBuys: 10_000 });
    const kept = new KeptParts();
    const add = (from: number, until: number) => {
      for (let n = from; n < until; n++)
        memory.add(orderOf({ wallet: `0x${n}`, at: HOUR_0 + n * SECOND_MS }), 'unknown');
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
    const restored = new OrderMemory(none, { segmentRows: 1_000, rows: 4_000, largeBuys: 10_000 });
    restored.restore(kept.chunks);
    expect(wholeOf(restored.parts)).toEqual(wholeOf(memory.parts));
  });
});
