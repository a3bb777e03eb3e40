import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/core/base/random.ts';
import { outcomeDrawP, signFlipP } from '../../../src/core/record/chance.ts';
import type { BlockSum } from '../../../src/core/record/figure.ts';

const cent = fc.integer({ min: -60, max: 60 }).map((cents) => cents / 100);
const block = fc.record({
  events: fc.integer({ min: 1, max: 3 }),
  sum: cent,
  price: fc.integer({ min: 5, max: 95 }).map((cents) => cents / 100),
});
const blocksArbitrary = fc.array(block, { minLength: 1, maxLength: 10 });
const FEW = 4_999;

/** Five standard errors of a share of `FEW` draws, and the observed total that counts as one of them. */
const error = (p: number) => 5 * Math.sqrt(Math.max(0, p * (1 - p)) / FEW) + 2 / FEW;

describe.each([
  ['signFlipP', signFlipP, exactFlipP],
  ['outcomeDrawP', outcomeDrawP, exactOutcomeP],
])('%s', (_name, drawn, exact) => {
  test('agrees with the exact share of all possible cases', () => {
    fc.assert(
      fc.property(blocksArbitrary, (blocks) => {
        const p = exact(blocks);
        expect(Math.abs(drawn(blocks, FEW) - p)).toBeLessThanOrEqual(error(p));
      }),
      { numRuns: 40 },
    );
  });

  test('is the same for the same blocks in any order, and never 0', () => {
    const shuffled = blocksArbitrary.chain((blocks) =>
      fc.tuple(fc.constant(blocks), fc.shuffledSubarray(blocks, { minLength: blocks.length })),
    );
    fc.assert(
      fc.property(shuffled, ([blocks, other]) => {
        expect(drawn(other, 99)).toBe(drawn(blocks, 99));
        expect(drawn(blocks, 99)).toBeGreaterThanOrEqual(0.01);
      }),
    );
  });

  test('is 1 for a total of 0', () => {
    const opposite = [0.1, -0.1].map((sum) => ({ events: 1, sum, price: 0.5 }));
    expect(drawn(opposite, 99)).toBe(1);
  });
});

test('where chance alone moves prices, the p of a sign flip is uniform', () => {
  const random = seededRandom(5);
  const found = Array.from({ length: 400 }, () =>
    signFlipP(
      Array.from({ length: 60 }, () => ({ events: 1, sum: normal(random) * (1 + random()), price: 0 })),
      199,
    ),
  );
  expectUniform(found);
});

test('where prices are right, the p of drawn outcomes is uniform, for dear and cheap outcomes alike', () => {
  const random = seededRandom(6);
  const found = Array.from({ length: 400 }, () =>
    outcomeDrawP(
      Array.from({ length: 60 }, () => {
        const price = 0.05 + 0.9 * random();
        return { events: 1, sum: (random() < price ? 1 : 0) - price, price };
      }),
      199,
    ),
  );
  expectUniform(found);
});

test('outcomes of a block are drawn as one: many events of one night are no stronger than one', () => {
  const night = (events: number) => [{ events, sum: events * 0.3, price: 0.7 }];
  expect(outcomeDrawP(night(40), 999)).toBe(outcomeDrawP(night(1), 999));
});

/** The share below each of three levels is that level, within four standard errors of 400 draws. */
function expectUniform(found: readonly number[]): void {
  for (const level of [0.05, 0.2, 0.5]) {
    const share = found.filter((p) => p <= level).length / found.length;
    expect(Math.abs(share - level)).toBeLessThan(4 * Math.sqrt((level * (1 - level)) / found.length));
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** All cases with their chances. */
function exactP(
  blocks: readonly BlockSum[],
  casesOf: (block: BlockSum) => readonly [number, number][],
): number {
  const observed = Math.abs(blocks.reduce((total, { sum }) => total + sum, 0));
  const cases = blocks.reduce<readonly (readonly [total: number, chance: number])[]>(
    (before, each) =>
      before.flatMap(([total, chance]) =>
        casesOf(each).map(([value, part]) => [total + value, chance * part] as const),
      ),
    [[0, 1]],
  );
  const asFar = cases.filter(([total]) => Math.abs(total) >= observed - 1e-9);
  return asFar.reduce((sum, [, chance]) => sum + chance, 0);
}

function exactFlipP(blocks: readonly BlockSum[]): number {
  return exactP(blocks, ({ sum }) => [
    [sum, 0.5],
    [-sum, 0.5],
  ]);
}

function exactOutcomeP(blocks: readonly BlockSum[]): number {
  return exactP(blocks, ({ events, price }) => [
    [events * (1 - price), price],
    [events * -price, 1 - price],
  ]);
}
