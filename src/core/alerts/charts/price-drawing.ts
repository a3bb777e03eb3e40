import { type EpochMs, HOUR_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import { type Axis, priceAxis, timeAxis } from './price-axes.ts';
import type { ChartAlert, PriceChart, Size } from './price-chart.ts';

/** A longer time without an order interrupts the line; in long charts, this share of their length. */
const BREAK_MS = 2 * HOUR_MS;
const BREAK_SHARE = 0.02;
/** Least distance between pointer targets (WCAG 2.2, 2.5.8), in pixels. */
const APART = 24;

/** Alerts that are drawn as one mark at the place of `alerts[0]`: the newest of them, or the one that the chart is about. */
export interface AlertMark {
  readonly alerts: readonly [ChartAlert, ...ChartAlert[]];
  /** Pixels from the left and the top. */
  readonly x: number;
  readonly y: number;
}

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

  /** The alerts in marks that are at least 24 px from each other in a picture of this many pixels, from its left. */
  marks(size: Size): readonly AlertMark[] {
    const byRank = this.chart.alerts.toSorted(
      (a, b) => Number(b.isMain ?? false) - Number(a.isMain ?? false) || b.at - a.at,
    );
    const marks: { x: number; y: number; alerts: [ChartAlert, ...ChartAlert[]] }[] = [];
    for (const alert of byRank) {
      const [x, y] = this.place(alert, size);
      const near = marks.find((mark) => Math.abs(mark.x - x) < APART && Math.abs(mark.y - y) < APART);
      if (near === undefined) marks.push({ x, y, alerts: [alert] });
      else near.alerts.push(alert);
    }
    return marks.toSorted((a, b) => a.x - b.x);
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
