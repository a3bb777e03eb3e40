import { expect, test } from 'vitest';
import { TYPE_NAMES as EXAMPLE_NAMES } from '../../../examples/alert-words.ts';
import { scoreBandOf, TYPE_NAMES, typeInSentence } from '../../../src/core/alerts/alert-names.ts';

test.each([
  [100, 'very_high', 'very strong'],
  [80, 'very_high', 'very strong'],
  [79, 'strong', 'strong'],
  [60, 'strong', 'strong'],
  [59, 'moderate', 'moderate'],
  [40, 'moderate', 'moderate'],
  [39, 'informational', 'weak'],
  [0, 'informational', 'weak'],
] as const)('a score of %i is %s in the record and %s for people', (score, band, word) => {
  expect(scoreBandOf(score)).toMatchObject({ band, word });
});

test('each type has one name, the same in the examples', () => {
  expect(EXAMPLE_NAMES).toEqual(TYPE_NAMES);
  expect(typeInSentence('fresh_accumulator')).toBe('new wallet keeps buying');
});
