import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderedMean } from '../../../src/core/record/figure.ts';

/** Items, and the same in another order. */
const shuffled = <Item>(items: fc.Arbitrary<Item[]>) =>
  items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

test('a mean is the same to the last bit in any order, also where adding in another order rounds otherwise', () => {
  expect(orderedMean([0.1, 0.2, 0.3])).toBe(orderedMean([0.3, 0.2, 0.1]));
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(shuffled(values), ([all, other]) => {
      expect(orderedMean(other)).toBe(orderedMean(all));
    }),
  );
});
