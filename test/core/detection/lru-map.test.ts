import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LruLinks, LruMap, unlinked } from '../../../src/core/detection/lru-map.ts';

interface Entry extends LruLinks<Entry> {
  readonly key: string;
}

const RANKS = 2;
const anyStep = fc.record({
  kind: fc.constantFrom('touch', 'touch', 'touch', 'rise', 'delete', 'evict', 'alter', 'mark'),
  key: fc.integer({ min: 0, max: 8 }).map((n) => `k${n}`),
});

class Model {
  readonly ranks: string[][] = [[], []];
  readonly evicted = [0, 0];
  touched = new Set<string>();
  removed = new Set<string>();
  altered = new Set<string>();

  rankOf(key: string): number {
    return this.ranks.findIndex((keys) => keys.includes(key));
  }

  put(key: string, rank: number): void {
    this.#take(key);
    this.ranks[rank]?.push(key);
    this.touched.add(key);
  }

  delete(key: string): void {
    this.#take(key);
    for (const set of [this.touched, this.altered]) set.delete(key);
    this.removed.add(key);
  }

  evict(): string | null {
    const rank = this.ranks.findIndex(({ length }) => length > 0);
    const key = this.ranks[rank]?.[0];
    if (key === undefined) return null;
    this.delete(key);
    this.evicted[rank] = (this.evicted[rank] ?? 0) + 1;
    return key;
  }

  #take(key: string): void {
    for (const keys of this.ranks) if (keys.includes(key)) keys.splice(keys.indexOf(key), 1);
  }
}

function play(map: LruMap<Entry>, model: Model, { kind, key }: { kind: string; key: string }): void {
  const entry = map.get(key);
  if (kind === 'evict') expect(map.evict()?.key ?? null).toBe(model.evict());
  else if (kind === 'mark') {
    map.markWritten();
    for (const set of [model.touched, model.removed, model.altered]) set.clear();
  } else if (entry === undefined) {
    map.add({ key, ...unlinked<Entry>() });
    model.put(key, 0);
  } else if (kind === 'delete') {
    map.delete(entry);
    model.delete(key);
  } else if (kind === 'alter') {
    map.alter(entry);
    model.altered.add(key);
  } else {
    const rank = kind === 'rise' ? 1 : model.rankOf(key);
    if (kind === 'rise') map.rank(entry, 1);
    else map.touch(entry);
    model.put(key, rank);
  }
}

const keysOf = (entries: Iterable<Entry>) => Array.from(entries, ({ key }) => key);

describe('lru map', () => {
  test('keeps the order of the last touch in each rank, and lists what was touched, altered and removed since it was written', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 120, size: 'max' }), (steps) => {
        const map = new LruMap<Entry>({ keyOf: ({ key }) => key, ranks: RANKS });
        const model = new Model();
        for (const step of steps) {
          play(map, model, step);
          const order = model.ranks.flat();
          expect(keysOf(map.values())).toEqual(order);
          expect(keysOf(map.touched())).toEqual(order.filter((key) => model.touched.has(key)));
          const altered = order.filter((key) => model.altered.has(key) && !model.touched.has(key));
          expect(keysOf(map.altered()).toSorted()).toEqual(altered.toSorted());
          expect([...(map.removed ?? [])].toSorted()).toEqual([...model.removed].toSorted());
          expect([map.size, map.weight, map.evicted]).toEqual([order.length, order.length, model.evicted]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('never written, it keeps no more than 100,000 keys of what was removed, and says so', () => {
    const map = new LruMap<Entry>({ keyOf: ({ key }) => key });
    const removeOne = (n: number) => {
      map.add({ key: `k${n}`, ...unlinked<Entry>() });
      map.evict();
    };
    for (let n = 0; n < 100_000; n++) removeOne(n);
    expect(map.removed?.size).toBe(100_000);
    for (let n = 0; n < 10; n++) removeOne(100_000 + n);
    expect(map.removed).toBeNull();
    map.markWritten();
    expect(map.removed?.size).toBe(0);
  });
});
