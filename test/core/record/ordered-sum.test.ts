import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderedMean, orderedSum } from '../../../src/core/record/figure.ts';

test('a sum is the same to the last bit in any order, also where adding in another order rounds otherwise', () => {
  expect(orderedSum([0.1, 0.2, 0.3])).toBe(orderedSum([0.3, 0.2, 0.1]));
  const shuffled = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(shuffled, ([values, other]) => {
      expect(orderedSum(other)).toBe(orderedSum(values));
      expect(orderedMean(other)).toBe(orderedMean(values));
    }),
  );
});
