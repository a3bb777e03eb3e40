import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/base/random.ts';
import { type BootstrapCluster, bootstrapIntervals } from '../../../src/core/record/figure.ts';

const finite = fc.double({ min: -100, max: 100, noNaN: true });
const clusterArbitrary = fc.record({
  weight: fc.integer({ min: 1, max: 30 }),
  sums: fc.tuple(finite, finite),
});
const clustersArbitrary = fc.array(clusterArbitrary, { minLength: 2, maxLength: 20 });
const FEW = 200;

describe('bootstrapIntervals', () => {
  it('is null for no cluster and for one: one observation says nothing about how much they vary', () => {
    expect(bootstrapIntervals([])).toBeNull();
    expect(bootstrapIntervals([{ weight: 40, sums: [12, 3] }])).toBeNull();
  });

  it('gives the same numbers for the same clusters in any order, to the last bit', () => {
    const shuffled = clustersArbitrary.chain((clusters) =>
      fc.tuple(fc.constant(clusters), fc.shuffledSubarray(clusters, { minLength: clusters.length })),
    );
    fc.assert(
      fc.property(shuffled, ([clusters, other]) => {
        expect(bootstrapIntervals(other, FEW)).toEqual(bootstrapIntervals(clusters, FEW));
      }),
    );
  });

  it('lies within the ratios of the clusters, low before high', () => {
    fc.assert(
      fc.property(clustersArbitrary, (clusters) => {
        for (const [index, { low, high }] of (bootstrapIntervals(clusters, FEW) ?? []).entries()) {
          const ratios = clusters.map(({ weight, sums }) => (sums[index] as number) / weight);
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThanOrEqual(Math.min(...ratios) - 1e-9);
          expect(high).toBeLessThanOrEqual(Math.max(...ratios) + 1e-9);
        }
      }),
    );
  });

  it('is one point where all clusters agree', () => {
    const clusters = [2, 4, 8].map((weight) => ({ weight, sums: [weight / 2] }));
    expect(bootstrapIntervals(clusters)).toEqual([{ low: 0.5, high: 0.5 }]);
  });

  it('is about two standard errors of the mean to each side', () => {
    const clusters = Array.from({ length: 200 }, (_, index) => ({ weight: 1, sums: [index % 2] }));
    const [interval] = bootstrapIntervals(clusters) ?? [];
    const twoErrors = (1.96 * 0.5) / Math.sqrt(200);
    expect(interval?.low).toBeCloseTo(0.5 - twoErrors, 1.7);
    expect(interval?.high).toBeCloseTo(0.5 + twoErrors, 1.7);
  });

  it('holds the truth about 95 times of 100, also where the copies in a cluster agree', () => {
    const random = seededRandom(7);
    const trials = 400;
    let held = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const [interval] = bootstrapIntervals(copiedOutcomes(0.4, 40, random), 400) ?? [];
      if (interval !== undefined && interval.low <= 0.4 && interval.high >= 0.4) held += 1;
    }
    expect(held / trials).toBeGreaterThan(0.89);
    expect(held / trials).toBeLessThan(0.99);
  });
});

/** Clusters that are right with probability `chance`, each with all of its 1 to 10 copies. */
function copiedOutcomes(chance: number, count: number, random: () => number): BootstrapCluster[] {
  return Array.from({ length: count }, () => {
    const weight = 1 + Math.floor(random() * 10);
    return { weight, sums: [random() < chance ? weight : 0] };
  });
}
