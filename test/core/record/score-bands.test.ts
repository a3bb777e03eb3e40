import { expect, it } from 'vitest';
import { scoreBandOf } from '../../../src/core/record/score-bands.ts';

it.each([
  [100, 'very_high'],
  [80, 'very_high'],
  [79, 'strong'],
  [60, 'strong'],
  [59, 'moderate'],
  [40, 'moderate'],
  [39, 'informational'],
  [0, 'informational'],
] as const)('a score of %i is %s', (score, band) => {
  expect(scoreBandOf(score)).toBe(band);
});
