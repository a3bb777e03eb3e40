import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curveChart } from '../../../src/cli/charts/curve-chart.ts';
import { intervalChart } from '../../../src/cli/charts/interval-chart.ts';
import { axisOf } from '../../../src/cli/charts/svg.ts';
import { openElements } from '../../support/open-elements.ts';

describe('axisOf', () => {
  test('has 0 and every value between its first and last tick, which are the ends', () => {
    const value = fc.integer({ min: -1e10, max: 1e10 }).map((millionths) => millionths / 1e6);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const { ticks, at } = axisOf(values, [100, 500]);
        const [first, last] = [ticks[0] as number, ticks.at(-1) as number];
        expect(ticks).toContain(0);
        expect(ticks.length).toBeLessThanOrEqual(9);
        expect([at(first), at(last)]).toEqual([expect.closeTo(100), expect.closeTo(500)]);
        for (const each of values) {
          expect(at(each)).toBeGreaterThan(99.9);
          expect(at(each)).toBeLessThan(500.1);
        }
      }),
    );
  });
});

test('names of curves cannot end an element', () => {
  const curves = ['a<b', 'c&"d'].map((name) => ({
    name,
    points: [
      { x: 0, y: 0.1 },
      { x: 3, y: 1 },
    ],
  }));
  const text = curveChart({ title: '<i>', xLabel: 'x', yLabel: 'y', curves });
  expect(openElements(text)).toEqual([]);
  expect(text).toContain('a&lt;b');
});

test('points without a line are drawn as marks, with their own texts', () => {
  const marks = { name: 'tapes', points: [{ x: 3, y: 0.9, text: '+3 ¢' }], isMarksOnly: true };
  const curve = { name: '100 events', points: [0, 1, 2, 3].map((x) => ({ x, y: x / 3 })) };
  const write = (y: number) => `${Math.round(y * 100)} %`;
  const text = curveChart({
    title: 'Power',
    xLabel: 'cents',
    yLabel: 'found',
    curves: [curve, marks],
    write,
  });
  expect(text.match(/<polyline/g)).toHaveLength(1);
  expect(text).toContain('100 events: 0 0 %, 1 33 %, 2 67 %, 3 100 %. tapes: 3 90 % (+3 ¢).</desc>');
});

test('an interval is drawn from its low to its high end, on both sides of its mean', () => {
  const row = {
    label: 'own impact',
    text: '+1.0 [-2.0, +4.0]',
    mean: 1,
    low: -2,
    high: 4,
    series: 0,
  } as const;
  const text = intervalChart({
    title: 'Prices',
    unit: 'cents',
    rows: [row, { ...row, mean: null, low: null, high: null }],
  });
  expect(openElements(text)).toEqual([]);
  const [, x1, x2] = /class="s0 curve" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"/.exec(text) ?? [];
  const [, mean] = /<circle class="f0" cx="([\d.]+)"/.exec(text) ?? [];
  expect(Number(mean)).toBeCloseTo((Number(x1) + Number(x2)) / 2, 0);
  expect(text.match(/<circle/g)).toHaveLength(1);
});
