import { expect, test } from 'vitest';
import { logAxis } from '../../../../src/core/alerts/charts/log-axis.ts';

const labels = (amounts: readonly number[]) => logAxis(amounts, 50).ticks.map(({ label }) => label);

test('each power of ten is as long as any other, and the highest amount is next to the top', () => {
  const { at, length } = logAxis([0.1, 1], 50);
  expect([at(1) - at(10), at(0.1) - at(1)]).toEqual([1_000, 1_000]);
  expect(at(50)).toBeGreaterThan(0);
  expect(at(50)).toBeLessThan(at(0.1));
  expect(at(0.1)).toBeLessThan(length);
});

test.each([
  [[1], ['$1', '$2', '$5', '$10', '$20', '$50']],
  [
    [0.6, 2.4],
    ['$0.5', '$1', '$2', '$5', '$10', '$20', '$50'],
  ],
  [
    [0.02, 1],
    ['$0.1', '$1', '$10', '$50'],
  ],
  [
    [0.000_01, 1],
    ['$0.001', '$0.01', '$0.1', '$1', '$10', '$50'],
  ],
  [
    [0.5, 40_000_000],
    ['$1', '$10,000', '$1,000,000', '$50'],
  ],
])('%j: few round labels, and always that of the line', (amounts, expected) => {
  expect(labels(amounts)).toEqual(expected);
});

test('labels are at least a sixteenth of the height apart', () => {
  for (const most of [1, 3, 45, 60, 110, 9_000]) {
    const percents = logAxis([0.3, most], 50)
      .ticks.map(({ percent }) => percent)
      .sort((a, b) => a - b);
    const gaps = percents.slice(1).map((percent, index) => percent - (percents[index] ?? 0));
    expect(Math.min(...gaps), `$${most}`).toBeGreaterThanOrEqual(6);
  }
});
