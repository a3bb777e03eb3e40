import { type EpochMs, HOUR_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import { type AlertMark, placeMarks } from './alert-marks.ts';
import { type Axis, priceAxis, timeAxis } from './price-axes.ts';
import type { PriceChart, Size } from './price-chart.ts';

/** A longer time without an order interrupts the line; in long charts, this share of their length. */
const BREAK_MS = 2 * HOUR_MS;
const BREAK_SHARE = 0.02;

/** The drawing of a chart for pictures of any size; null if all of it is at one moment, which shows no course. */
export function drawPrices(chart: PriceChart): PriceDrawing | null {
  const { line, alerts, exits, settlement } = chart;
  const points = [...line, ...alerts, ...exits, ...(settlement === null ? [] : [settlement])];
  const moments = new Set(points.map(({ at }) => at));
  return moments.size < 2 ? null : new PriceDrawing(chart, points);
}

/** Where the parts of a chart are: axes that fit what is drawn, the line as paths, and marks that do not cover each other. */
export class PriceDrawing {
  readonly chart: PriceChart;
  readonly x: Axis;
  readonly y: Axis;
  /** A longer time without an order interrupts the line. */
  readonly breakMs: number;

  constructor(chart: PriceChart, points: readonly PricePoint[]) {
    this.chart = chart;
    const times = points.map(({ at }) => at);
    this.x = timeAxis(Math.min(...times), Math.max(...times));
    this.y = priceAxis(points.map(({ price }) => price));
    this.breakMs = Math.max(BREAK_MS, BREAK_SHARE * this.x.length * SECOND_MS);
  }

  /** Position of a point in a picture of this size, from its left and its top. */
  place({ at, price }: PricePoint, { width, height }: Size): readonly [number, number] {
    return [
      (width * (Math.floor(at / SECOND_MS) - this.x.start)) / this.x.length,
      (height * (this.y.start - price * 10_000)) / this.y.length,
    ];
  }

  /** The alerts, grouped where they would cover each other in a picture of this many pixels. */
  marks(size: Size): readonly AlertMark[] {
    const { alerts, exits, settlement } = this.chart;
    const place = (point: PricePoint) => this.place(point, size);
    const others = [...exits, ...(settlement === null ? [] : [settlement])].map(place);
    return placeMarks(alerts, { size, place, others });
  }

  /**
   * The line as an SVG path of steps, in whole units: `M` begins at a first order, `h…v…` leads to the next one. `gaps`: the times
   * between, and the way to the payout. Units of the axes keep every time to its second and price to a hundredth of a cent.
   */
  paths(size: Size): { readonly line: string; readonly gaps: string } {
    const { line, settlement } = this.chart;
    let [path, gaps] = ['', ''];
    let before: { readonly at: EpochMs; readonly x: number; readonly y: number } | null = null;
    for (const point of line) {
      const [x, y] = this.place(point, size).map(Math.round) as [number, number];
      if (before !== null && point.at - before.at <= this.breakMs) path += `h${x - before.x}v${y - before.y}`;
      else {
        if (before !== null) gaps += `M${before.x} ${before.y}H${x}V${y}`;
        // Round ends make a point of a line without a length.
        path += `M${x} ${y}h0`;
      }
      before = { at: point.at, x, y };
    }
    if (before !== null && settlement !== null) {
      const [x, y] = this.place(settlement, size).map(Math.round);
      gaps += `M${before.x} ${before.y}H${x}V${y}`;
    }
    return { line: path, gaps };
  }
}
