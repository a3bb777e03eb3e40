import { seededRandom } from '../base/random.ts';
import type { BlockSum } from './figure.ts';

/** Draws behind each p: enough for the smallest part of the error that the default plan gives a comparison. */
const DRAWS = 19_999;
const SEED = 23;
/** Sums of the same numbers may differ by this part. */
const ROUNDING = 1e-9;

/**
 * The chance of a total at least as far from 0 as this one if each block could as well have had the other sign: the signs
 * of whole blocks are drawn again and again (sign-flip randomisation). The blocks in any sequence give the same p. It is never 0.
 */
export function signFlipP(blocks: readonly BlockSum[], draws = DRAWS): number {
  const sums = blocks.map(({ sum }) => sum).sort((a, b) => a - b);
  const random = seededRandom(SEED);
  return pOf(sums, draws, () => {
    let total = 0;
    let signs = 0;
    for (let index = 0; index < sums.length; index += 1) {
      if (index % 32 === 0) signs = random() * 2 ** 32;
      total += signs & 1 ? (sums[index] as number) : -(sums[index] as number);
      signs >>>= 1;
    }
    return total;
  });
}

/**
 * The chance of a total at least as far from 0 as this one if the prices were right: all outcomes of a block are drawn
 * as one, with its mean price as the chance. That is the least favourable case; its events may be independent. The blocks in any
 * sequence give the same p. It is never 0.
 */
export function outcomeDrawP(blocks: readonly BlockSum[], draws = DRAWS): number {
  const sorted = blocks.toSorted((a, b) => a.price - b.price || a.events - b.events || a.sum - b.sum);
  const random = seededRandom(SEED);
  return pOf(
    sorted.map(({ sum }) => sum),
    draws,
    () => {
      let total = 0;
      for (const { events, price } of sorted) total += events * ((random() < price ? 1 : 0) - price);
      return total;
    },
  );
}

/** The observed total counts as one of the draws, which keeps the error at what is promised for any number of draws. */
function pOf(sums: readonly number[], draws: number, drawTotal: () => number): number {
  const observed = Math.abs(sums.reduce((total, sum) => total + sum, 0)) * (1 - ROUNDING);
  let asFar = 1;
  for (let draw = 0; draw < draws; draw += 1) if (Math.abs(drawTotal()) >= observed) asFar += 1;
  return asFar / (draws + 1);
}
