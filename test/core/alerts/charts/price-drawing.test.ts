import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChartAlert,
  chartAlert,
  type PriceChart,
} from '../../../../src/core/alerts/charts/price-chart.ts';
import { drawPrices } from '../../../../src/core/alerts/charts/price-drawing.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { PricePoint } from '../../../../src/core/trades/price-point.ts';
import { alertOf } from '../../../support/alerts.ts';

const START = Date.UTC(2026, 0, 2);
const NONE: PriceChart = {
  ...{ outcome: 'Yes', line: [], alerts: [], exits: [], settlement: null },
};

const BOUGHT = { outcome: 'Yes', isFirstOutcome: true };

const point = fc.record({
  at: fc.integer({ min: 0, max: 20_000_000 }).map((seconds) => START + seconds * SECOND_MS),
  price: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 10_000),
});
const byTime = <Point extends PricePoint>(points: Point[]) => points.toSorted((a, b) => a.at - b.at);
const moments = { selector: ({ at }: PricePoint) => at, minLength: 2, maxLength: 40 };
const line = fc.uniqueArray(point, moments).map(byTime);
const alerts = fc
  .array(fc.tuple(point, fc.integer({ min: 1, max: 2_000_000 })), { maxLength: 30 })
  .map((all) =>
    byTime(
      all.map(
        ([at, usdc], id): ChartAlert => ({
          ...at,
          ...BOUGHT,
          id,
          putInUsdc: usdc,
          result: 'open',
          isMain: id === 3,
        }),
      ),
    ),
  );
const charts = fc.record({
  line,
  alerts,
  exits: fc.array(
    point.map((at) => ({ ...at, words: 'Sold' })),
    { maxLength: 3 },
  ),
  settlement: fc.option(point),
});

const drawn = (chart: Partial<PriceChart>) => {
  const drawing = drawPrices({ ...NONE, ...chart });
  if (drawing === null) throw new Error('nothing is drawn');
  return drawing;
};

/** The points of a path, as `chart.js` reads them. */
function pointsOf(path: string, { x, y }: ReturnType<typeof drawn>): readonly PricePoint[] {
  let [left, top] = [0, 0];
  return Array.from(path.matchAll(/M(\d+) (\d+)|h(\d+)v(-?\d+)/g), ([, fromX, fromY, right, down]) => {
    [left, top] =
      fromX === undefined ? [left + Number(right), top + Number(down)] : [Number(fromX), Number(fromY)];
    return { at: (x.start + left) * SECOND_MS, price: (y.start - top) / 10_000 };
  });
}

describe('a chart of prices', () => {
  test('has every price of its line, to the second and a hundredth of a cent', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const drawing = drawn(chart);
        const { line: path } = drawing.paths({ width: drawing.x.length, height: drawing.y.length });
        expect(pointsOf(path, drawing)).toEqual(chart.line);
      }),
    );
  });

  test('has all that is drawn, and its ticks, within its axes', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const drawing = drawn(chart);
        const size = { width: 100, height: 100 };
        const points = [
          ...chart.line,
          ...chart.alerts,
          ...chart.exits,
          ...(chart.settlement ? [chart.settlement] : []),
        ];
        const places = points.flatMap((each) => drawing.place(each, size));
        const ticks = [...drawing.x.ticks, ...drawing.y.ticks];
        for (const percent of [...places, ...ticks.map((tick) => tick.percent)]) {
          expect(percent).toBeGreaterThan(0);
          expect(percent).toBeLessThan(100);
        }
        expect(drawing.y.ticks.length).toBeGreaterThan(1);
      }),
    );
  });

  test('is interrupted where more than two hours had no order, of long charts a fiftieth', () => {
    const given = [0, 1, 4, 5].map((hours) => ({ at: START + hours * HOUR_MS, price: 0.5 }));
    const breaks = (all: readonly PricePoint[]) =>
      drawn({ line: all }).paths({ width: 1_000, height: 1_000 }).line.match(/M/g)?.length;
    expect(breaks(given)).toBe(2);
    expect(breaks([...given, { at: START + 100 * DAY_MS, price: 0.5 }])).toBe(2);
    expect(breaks([...given, { at: START + HOUR_MS * 7, price: 0.5 }])).toBe(2);
  });

  test('that settles leads to the payout, and says nothing of the time between', () => {
    const first = { at: START, price: 0.4 };
    const { gaps, line: path } = drawn({
      line: [first],
      settlement: { at: START + HOUR_MS, price: 1 },
    }).paths({
      ...{ width: 1_000, height: 1_000 },
    });
    expect([path, gaps]).toEqual(['M28 931h0', 'M28 931H972V69']);
  });

  test('is none when all of it is at one moment', () => {
    const only = { at: START, price: 0.4 };
    expect(drawPrices(NONE)).toBeNull();
    expect(
      drawPrices({
        ...NONE,
        line: [only],
        alerts: [{ ...only, ...chartAlert(alertOf({ id: 1 }), 0.4), at: START }],
      }),
    ).toBeNull();
  });

  test.each([
    ['minutes', 20 * 60, ['00:05', '00:10', '00:15']],
    ['days', 4 * 86_400, ['Jan 3', 'Jan 4', 'Jan 5']],
    ['months', 220 * 86_400, ['Mar 1', 'May 1', 'Jul 1']],
    ['years', 1_200 * 86_400, ['Jan 1', 'Jan 1', 'Jan 1']],
  ])('over %s has ticks that a reader knows', (_, seconds, labels) => {
    const { x } = drawn({ line: [0, seconds].map((at) => ({ at: START + at * SECOND_MS, price: 0.5 })) });
    expect(x.ticks.map(({ label }) => label)).toEqual(labels);
  });
});

describe('the alerts of a chart', () => {
  const size = { width: 290, height: 200 };

  test('are each in one mark, the marks 24 px apart, that of the main alert first in its own', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const marks = drawn(chart).marks(size);
        const ids = marks.flatMap((mark) => mark.alerts.map(({ id }) => id));
        expect(ids.toSorted((a, b) => a - b)).toEqual(
          chart.alerts.map(({ id }) => id).toSorted((a, b) => a - b),
        );
        const pairs = marks.flatMap((a, index) => marks.slice(index + 1).map((b) => [a, b] as const));
        for (const [a, b] of pairs)
          expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(24);
        for (const mark of marks)
          if (mark.alerts.some(({ isMain }) => isMain)) expect(mark.alerts[0].isMain).toBe(true);
      }),
    );
  });
});
