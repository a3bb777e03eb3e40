import type { FigureName, RecordPeriod } from '../../core/record/record-report.ts';
import { curveChart } from '../charts/curve-chart.ts';
import { type IntervalRow, intervalChart } from '../charts/interval-chart.ts';
import { centsWithInterval, FIGURE_WORDS } from './figure-words.ts';

/** The pictures of a period, by file name. */
export function recordCharts(period: RecordPeriod): ReadonlyMap<string, string> {
  return new Map([
    ['drift.svg', driftChart(period)],
    ['months.svg', monthsChart(period)],
  ]);
}

const SERIES: readonly (readonly [FigureName, IntervalRow['series']])[] = [
  ['impact', 0],
  ['drift_1h', 0],
  ['controls_drift_1h', 1],
  ['drift_1h_minus_controls', 2],
  ['drift_24h', 0],
  ['controls_drift_24h', 1],
  ['rivals_1000_drift_24h', 1],
  ['drift_24h_minus_controls', 2],
  ['drift_24h_from_entry', 0],
];

function driftChart({ figures }: RecordPeriod): string {
  const rows = SERIES.map(([name, series]) => {
    const { mean, low, high, events } = figures[name];
    const text = `${centsWithInterval(figures[name])}, ${events} ${events === 1 ? 'event' : 'events'}`;
    return {
      label: FIGURE_WORDS[name],
      text,
      series,
      mean: inCents(mean),
      low: inCents(low),
      high: inCents(high),
    };
  });
  return intervalChart({
    title: 'Price after an alert, and after its controls',
    unit: 'cents a share, mean of events with 95 % interval',
    rows,
  });
}

function monthsChart({ groups }: RecordPeriod): string {
  const names = groups.months.map(({ name }, x) => ({ x, text: name }));
  const points = groups.months.flatMap(({ won_minus_price: { mean, alerts } }, x) =>
    mean === null ? [] : [{ x, y: mean * 100, text: `n=${alerts}` }],
  );
  return curveChart({
    title: 'Won minus price, by month of publication',
    xLabel: 'month (UTC)',
    yLabel: 'cents a share, mean of events, n: its alerts',
    curves: [{ name: 'won - price', points, isMarksOnly: true }],
    names,
    write: (y) => y.toFixed(1),
  });
}

function inCents(value: number | null): number | null {
  return value === null ? null : value * 100;
}
