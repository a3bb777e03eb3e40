import { expect, test } from 'vitest';
import { recordTime } from '../../../src/core/record/record-store.ts';

const NOW = 1_800_000_000_000;

test('a record of a live source uses what is stored, and nothing that is not public', () => {
  expect(recordTime({ time: NOW - 10_000, mapping: null }, NOW - 300_000)).toBe(NOW - 300_000);
  expect(recordTime({ time: NOW - 900_000, mapping: null }, NOW - 300_000)).toBe(NOW - 900_000);
});

test('a record of a tape is as of the time of the tape, at its pace, and at its end as of its last row', () => {
  const mapping = { pivot: 1_000_000, origin: NOW, speed: 60, hasHistory: true };
  expect(recordTime({ time: 9_000_000, mapping }, NOW + 10_000)).toBe(1_600_000);
  expect(recordTime({ time: 9_000_000, mapping }, NOW + 1_000_000)).toBe(9_000_000);
});

test('there is no record before the first row', () => {
  expect(recordTime({ time: 0, mapping: null }, NOW)).toBeNull();
});
