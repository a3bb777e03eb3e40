import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlertRing } from '../../../../src/core/delivery/stream/alert-ring.ts';
import { alertOf } from '../../../support/alerts.ts';

const CAPACITY = 10;
const alertsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => alertOf({ id: first + index }));
const emptyRing = () => new AlertRing(CAPACITY, () => new Uint8Array());

describe('the ring of the newest alerts', () => {
  test('holds every alert above its floor once, at least its capacity of them and less than twice that, whatever overlaps', () => {
    const pushes = fc.array(fc.record({ back: fc.nat(5), count: fc.nat(9) }), { maxLength: 20 });
    fc.assert(
      fc.property(pushes, fc.nat(100), fc.integer({ min: 1, max: 30 }), (given, asked, limit) => {
        const ring = emptyRing();
        let newest = 0;
        for (const { back, count } of given) {
          const first = Math.max(1, newest + 1 - back);
          ring.push(alertsFrom(first, count));
          newest = Math.max(newest, first + count - 1);
        }
        const held = ring.after(ring.floor, 1_000).map(({ alert }) => alert.id);
        expect(held).toEqual(
          Array.from({ length: newest - ring.floor }, (_, index) => ring.floor + 1 + index),
        );
        expect(held.length).toBeGreaterThanOrEqual(Math.min(CAPACITY, newest));
        expect(held.length).toBeLessThan(2 * CAPACITY);
        expect(ring.newest).toBe(newest);
        const cursor = Math.max(asked, ring.floor);
        const read = () => ring.after(cursor, limit).map(({ alert }) => alert.id);
        const expected = held.filter((id) => id > cursor).slice(0, limit);
        expect([read(), read()]).toEqual([expected, expected]);
      }),
    );
  });

  test('drops half of what it holds at a time, so that an alert does not cost a copy of the ring', () => {
    const ring = emptyRing();
    ring.push(alertsFrom(1, 2 * CAPACITY - 1));
    expect(ring.floor).toBe(0);
    ring.push(alertsFrom(2 * CAPACITY, 1));
    expect(ring.floor).toBe(CAPACITY);
  });
});
