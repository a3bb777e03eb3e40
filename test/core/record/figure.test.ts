import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/base/random.ts';
import { bootstrapInterval, orderedMean, orderedSum } from '../../../src/core/record/figure.ts';

const cluster = fc.record({
  weight: fc.integer({ min: 1, max: 30 }),
  sum: fc.double({ min: -100, max: 100, noNaN: true }),
});
const clustersArbitrary = fc.array(cluster, { minLength: 2, maxLength: 20 });
const FEW = 200;

/** Items, and the same in another order. */
const shuffled = <Item>(items: fc.Arbitrary<Item[]>) =>
  items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

test('a sum is the same to the last bit in any order, also where adding in another order rounds otherwise', () => {
  expect(orderedSum([0.1, 0.2, 0.3])).toBe(orderedSum([0.3, 0.2, 0.1]));
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(shuffled(values), ([all, other]) => {
      expect([orderedSum(other), orderedMean(other)]).toEqual([orderedSum(all), orderedMean(all)]);
    }),
  );
});

describe('bootstrapInterval', () => {
  test('is null for no cluster and for one: one observation says nothing about how much they vary', () => {
    expect(bootstrapInterval([])).toBeNull();
    expect(bootstrapInterval([{ weight: 40, sum: 12 }])).toBeNull();
  });

  test('is the same for the same clusters in any order, to the last bit', () => {
    fc.assert(
      fc.property(shuffled(clustersArbitrary), ([clusters, other]) => {
        expect(bootstrapInterval(other, FEW)).toEqual(bootstrapInterval(clusters, FEW));
      }),
    );
  });

  test('lies within the ratios of the clusters, low before high, and is one point where they agree', () => {
    fc.assert(
      fc.property(clustersArbitrary, (clusters) => {
        const { low, high } = bootstrapInterval(clusters, FEW) ?? { low: Number.NaN, high: Number.NaN };
        const ratios = clusters.map(({ weight, sum }) => sum / weight);
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...ratios) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...ratios) + 1e-9);
      }),
    );
    const agreed = [2, 4, 8].map((weight) => ({ weight, sum: weight / 2 }));
    expect(bootstrapInterval(agreed)).toEqual({ low: 0.5, high: 0.5 });
  });

  test('holds the truth about 95 times of 100, also where the copies in a cluster agree', () => {
    const random = seededRandom(7);
    const trials = 400;
    let held = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const clusters = Array.from({ length: 40 }, () => {
        const weight = 1 + Math.floor(random() * 10);
        return { weight, sum: random() < 0.4 ? weight : 0 };
      });
      const interval = bootstrapInterval(clusters, 400);
      if (interval !== null && interval.low <= 0.4 && interval.high >= 0.4) held += 1;
    }
    expect(held / trials).toBeGreaterThan(0.89);
    expect(held / trials).toBeLessThan(0.99);
  });
});
