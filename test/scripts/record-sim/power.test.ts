import { expect, test } from 'vitest';
import { powerCurves, powerTable } from '../../../scripts/record-sim/power.ts';

test('the power grows with the effect and the events, from few records without an effect to all with 5 ¢', () => {
  const curves = powerCurves(0.06, 20);
  expect(curves.map(({ events }) => events)).toEqual([50, 100, 200, 400]);
  for (const { points } of curves) {
    expect(points[0]?.found).toBeLessThanOrEqual(0.15);
    expect(points.at(-1)?.found).toBeGreaterThan(0.9);
  }
  // 2 ¢ of 6 ¢: 2.4, 3.3, 4.7 and 6.7 standard errors, of which 2.05 are needed.
  const found = curves.map(({ points }) => points.find(({ effect }) => effect === 0.02)?.found ?? 0);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(found[0]).toBeGreaterThan(0.3);
  expect(found[0]).toBeLessThan(0.9);
  expect(powerTable(curves)).toHaveLength(12);
});
