import { expect, test } from 'vitest';
import { mainReasons } from '../../../src/core/alerts/alert-reasons.ts';
import type { ScorePart } from '../../../src/core/detection/candidate.ts';
import { alertOf } from '../../support/alerts.ts';

const part = (factor: ScorePart['factor'], points: number, note: string): ScorePart => {
  return { factor, points, max: 55, note };
};
const reasonsOf = (...reasons: readonly ScorePart[]) =>
  mainReasons({ details: { ...alertOf({ id: 1 }).details, reasons } });

const AGE = part('wallet_age', 15, 'wallet under a day old');
const MARKETS = part('markets', 10, 'first market');
const TO_WIN = part('to_win', 40, '$20,000 to win in all');
const TIMING = part('timing', 15, '6 h before close');
const PATTERN = part('accumulator', 5, 'keeps buying');

test('the three reasons with the most points are named, in the order of the rules, without what the bet would win', () => {
  expect(reasonsOf(AGE, MARKETS, TO_WIN, TIMING, PATTERN)).toEqual([
    'wallet under a day old',
    'first market',
    '6 h before close',
  ]);
  expect(reasonsOf({ ...AGE, points: 3 }, MARKETS, TO_WIN, TIMING, PATTERN)).toEqual([
    'first market',
    '6 h before close',
    'keeps buying',
  ]);
});

test('a reason without points is none', () => {
  expect(reasonsOf(AGE, { ...TIMING, points: 0 })).toEqual(['wallet under a day old']);
  expect(reasonsOf(TO_WIN)).toEqual([]);
});
