import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axesOf, pathOf, placeOf, priceTicks } from '../../../../src/core/alerts/charts/axes.ts';
import { chartAxes, chartPicture, type PriceChart } from '../../../../src/core/alerts/charts/price-chart.ts';
import { HOUR_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { PricePoint } from '../../../../src/core/trades/price-point.ts';
import { alertOf, exitOf } from '../../../support/alerts.ts';

const START = Date.UTC(2026, 0, 2);
const NONE: PriceChart = { outcome: 'Yes', line: [], alerts: [], exits: [], settlement: null };

const point = fc.record({
  at: fc.integer({ min: 0, max: 20_000_000 }).map((seconds) => START + seconds * SECOND_MS),
  price: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 10_000),
});
const line = fc
  .uniqueArray(point, { selector: ({ at }) => at, minLength: 2, maxLength: 40 })
  .map((points) => points.toSorted((a, b) => a.at - b.at));
const alerts = fc
  .array(point, { maxLength: 30 })
  .map((points) =>
    points.map((at, index) => ({ ...at, alert: alertOf({ id: index + 1 }), isMain: index === 3 })),
  );
const charts = fc.record({
  outcome: fc.constant('Yes'),
  line,
  alerts,
  exits: fc.array(
    point.map((at) => ({ ...at, exit: exitOf({ number: 1 }) })),
    { maxLength: 3 },
  ),
  settlement: fc.option(point),
});

/** The axes of a chart, and its picture. */
function drawn(chart: Partial<PriceChart>) {
  const whole = { ...NONE, ...chart };
  const axes = chartAxes(whole);
  if (axes === null) throw new Error('nothing is drawn');
  return { axes, picture: chartPicture(whole, axes) };
}

/** The points of a path, as chart.js reads them. */
function pointsIn(
  path: string,
  axes: { readonly left: number; readonly top: number },
): readonly PricePoint[] {
  let [left, top] = [0, 0];
  return Array.from(path.matchAll(/M(\d+) (\d+)|h(\d+)v(-?\d+)/g), ([, fromX, fromY, right, down]) => {
    [left, top] =
      fromX === undefined ? [left + Number(right), top + Number(down)] : [Number(fromX), Number(fromY)];
    return { at: (axes.left + left) * SECOND_MS, price: (axes.top - top) / 10_000 };
  });
}

describe('a chart of prices', () => {
  test('has every price of its line, to the second and a hundredth of a cent', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const { axes, picture } = drawn(chart);
        const [, path = ''] = /class="line" d="([^"]*)"/.exec(picture) ?? [];
        expect(pointsIn(path, axes)).toEqual(chart.line);
      }),
    );
  });

  test('has all that is drawn within its axes, and prices that a reader knows', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const { axes } = drawn(chart);
        const points: PricePoint[] = [...chart.line, ...chart.alerts, ...chart.exits];
        for (const place of points.flatMap((each) => placeOf(each, axes, { width: 100, height: 100 }))) {
          expect(place).toBeGreaterThan(0);
          expect(place).toBeLessThan(100);
        }
        const ticks = priceTicks(axes);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(8);
        for (const cent of ticks) {
          expect(Number.isInteger(cent)).toBe(true);
          expect(cent).toBeGreaterThanOrEqual(0);
          expect(cent).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test('is none when all of it is at one moment', () => {
    const only = { at: START, price: 0.4 };
    const alert = { ...only, alert: alertOf({ id: 1 }), isMain: true };
    expect(chartAxes(NONE)).toBeNull();
    expect(chartAxes({ ...NONE, line: [only], alerts: [alert] })).toBeNull();
  });

  test('is made of steps: a price holds until the next order', () => {
    const prices = [0.4, 0.6, 0.5].map((price, hours) => ({ at: START + hours * HOUR_MS, price }));
    const axes = axesOf(prices);
    expect(axes && pathOf(prices, axes, { width: 1_000, height: 1_000 })).toBe('M28 931h0h472v-862h472v431');
  });

  test('names its first and last moment, what was sold and what it paid', () => {
    const { picture } = drawn({
      line: [{ at: START, price: 0.4 }],
      exits: [{ at: START + HOUR_MS, price: 0.5, exit: exitOf({ number: 1 }) }],
      settlement: { at: START + 30 * HOUR_MS, price: 1 },
    });
    expect(picture).toContain('>2026-01-02 00:00</text>');
    expect(picture).toContain('>2026-01-03 06:00</text>');
    expect(picture).toMatch(/class="exit".*<title>Sold 60%/);
    expect(picture).toContain('<title>Settled: paid 100¢</title>');
  });
});

describe('the alerts of a chart', () => {
  /** In pixels of a phone, from the left and the top. */
  const placesIn = (picture: string) =>
    Array.from(picture.matchAll(/<a class="mark.*?<svg x="([\d.]+)%" y="([\d.]+)%"/g), ([, x, y]) => {
      return { x: 2.9 * Number(x), y: 2 * Number(y) };
    });

  test('are each in one mark, the marks 24 px apart on a phone, and the alert that it is about leads its own', () => {
    fc.assert(
      fc.property(charts, (chart) => {
        const { picture } = drawn(chart);
        const titles = [...picture.matchAll(/<a class="mark[^>]*><title>(?:(\d+) alerts: )?/g)];
        const counted = titles.reduce((sum, [, several = 1]) => sum + Number(several), 0);
        expect(counted).toBe(chart.alerts.length);
        const places = placesIn(picture);
        expect(places).toHaveLength(titles.length);
        const pairs = places.flatMap((a, index) => places.slice(index + 1).map((b) => [a, b] as const));
        // Places are written to a tenth of a per cent.
        for (const [a, b] of pairs)
          expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThan(23.4);
        const main = chart.alerts.find(({ isMain }) => isMain);
        if (main !== undefined) expect(picture).toContain(`main" href="/alerts/${main.alert.id}"`);
      }),
    );
  });

  test('are inert: the name of an outcome ends no element', () => {
    const alert = alertOf({ id: 1, outcome: '</title><script>' });
    const alerts = [0, 50].map((hours) => ({
      at: START + hours * HOUR_MS,
      price: 0.4,
      alert,
      isMain: false,
    }));
    const { picture } = drawn({ alerts });
    expect(picture).toContain('on &lt;/title&gt;&lt;script&gt; by');
    expect(picture).not.toContain('<script');
  });
});
