import { expect, test } from 'vitest';
import { TYPE_NAMES as EXAMPLE_NAMES } from '../../../examples/alert-words.ts';
import { scoreBandOf, TYPE_NAMES, typeInSentence } from '../../../src/core/alerts/alert-names.ts';

test.each([
  [100, 'very strong'],
  [80, 'very strong'],
  [79, 'strong'],
  [60, 'strong'],
  [59, 'moderate'],
  [40, 'moderate'],
  [39, 'weak'],
  [0, 'weak'],
])('a score of %i is %s', (score, word) => {
  expect(scoreBandOf(score).word).toBe(word);
});

test('each type has one name, the same in the examples', () => {
  expect(EXAMPLE_NAMES).toEqual(TYPE_NAMES);
  expect(typeInSentence('fresh_accumulator')).toBe('new wallet keeps buying');
});
