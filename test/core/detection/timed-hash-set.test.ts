import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textHash } from '../../../src/core/detection/fill-hash.ts';
import { TimedHashSet } from '../../../src/core/detection/timed-hash-set.ts';

describe('timed hash set', () => {
  test('agrees with a plain map of hash and hour, whatever is added', () => {
    const adds = fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 60 })), { maxLength: 3_000 });
    fc.assert(
      fc.property(adds, (given) => {
        const set = new TimedHashSet(1_000_000);
        const plain = new Map<number, number>();
        let now = 1;
        for (const [value, hour] of given) {
          now = Math.max(now, hour);
          const min = now - 24;
          const expected = (plain.get(value) ?? Number.NEGATIVE_INFINITY) >= min;
          expect(set.add(textHash(`v${value}`), hour, min)).toBe(expected);
          if (!expected) plain.set(value, hour);
          expect(set.size).toBe(plain.size);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('what is forgotten is new again, and everything else is found as before', () => {
    const steps = fc.array(fc.tuple(fc.nat(1_500), fc.boolean()), { maxLength: 6_000, size: 'max' });
    fc.assert(
      fc.property(steps, (given) => {
        const set = new TimedHashSet(1_000_000);
        const plain = new Set<number>();
        for (const [value, isAdded] of given) {
          const hash = textHash(`v${value}`);
          if (isAdded) {
            expect(set.add(hash, 5, 1)).toBe(plain.has(value));
            plain.add(value);
          } else expect(set.forget(hash, 1)).toBe(plain.delete(value));
        }
        for (let value = 0; value <= 1_500; value++)
          expect(set.has(textHash(`v${value}`), 1)).toBe(plain.has(value));
        expect(set.size).toBe(plain.size);
      }),
      { numRuns: 20 },
    );
  });

  test('what has expired is not there, neither to be found nor to be forgotten', () => {
    const set = new TimedHashSet(10);
    set.add(textHash('v'), 5, 1);
    expect([set.has(textHash('v'), 5), set.has(textHash('v'), 6)]).toEqual([true, false]);
    expect(set.forget(textHash('v'), 6)).toBe(false);
    expect(set.forget(textHash('w'), 1)).toBe(false);
  });

  test('never holds more than its bound, forgets the oldest first, and counts what it forgot', () => {
    const set = new TimedHashSet(4_000);
    let least = 4_000;
    for (let i = 0; i < 20_000; i++) {
      set.add(textHash(`v${i}`), 1 + Math.floor(i / 100), 1);
      if (i >= 4_000) least = Math.min(least, set.size);
    }
    expect(set.size).toBeLessThanOrEqual(4_000);
    expect(least).toBeGreaterThan(3_000);
    expect(set.has(textHash('v19999'), 1)).toBe(true);
    expect(set.has(textHash('v0'), 1)).toBe(false);
    expect(set.forgotten + set.size).toBe(20_000);
  });

  test('its changes, written now and then and read back, give the same table slot by slot', () => {
    const days = fc.array(fc.record({ adds: fc.nat(1_500), isWritten: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(days, fc.constantFrom(700, 3_000, 1_000_000), (given, maxEntries) => {
        const set = new TimedHashSet(maxEntries);
        const restored = new TimedHashSet(maxEntries);
        for (const text of set.whole()) restored.restore(text);
        let next = 0;
        for (const [day, { adds, isWritten }] of given.entries()) {
          for (let n = 0; n < adds; n++)
            set.add(textHash(`v${next++ % 9_000}`), 1 + day, Math.max(1, day - 2));
          if (!isWritten) continue;
          for (const text of set.changes() ?? []) restored.restore(text);
          set.markWritten();
          const whole = [...set.whole()];
          expect([...restored.whole()]).toEqual(whole);
          const anew = new TimedHashSet(maxEntries);
          for (const text of whole) anew.restore(text);
          expect([...anew.whole()]).toEqual(whole);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('of more changes than are worth to be kept only the whole is written', () => {
    const set = new TimedHashSet(1_000_000);
    for (let i = 0; i < 262_144; i++) set.add(textHash(`v${i}`), 1, 1);
    expect(set.changes()).not.toBeNull();
    set.add(textHash('one more'), 1, 1);
    expect(set.changes()).toBeNull();
    set.markWritten();
    expect([...(set.changes() ?? ['whole'])]).toEqual([]);
  });
});
