import { axisOf, element, label, line, svgFile } from './svg.ts';

/** A mean with its interval. */
export interface IntervalRow {
  readonly label: string;
  /** At the right end: the same in numbers. */
  readonly text: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Colour and shape: 0 a disc, 1 a square, 2 a diamond. */
  readonly series: 0 | 1 | 2;
}

interface IntervalChart {
  readonly title: string;
  /** Of the values, below the axis. */
  readonly unit: string;
  readonly rows: readonly IntervalRow[];
}

const WIDTH = 760;
const [LEFT, RIGHT, TOP, ROW] = [236, 530, 48, 28];

/** One row below the other, each a mean and a line from one end of its interval to the other. */
export function intervalChart({ title, unit, rows }: IntervalChart): string {
  const values = rows.flatMap(({ mean, low, high }) => [mean, low, high]).filter((value) => value !== null);
  const axis = axisOf(values, [LEFT, RIGHT]);
  const bottom = TOP + rows.length * ROW;
  const ticks = axis.ticks.flatMap((tick) => [
    line(tick === 0 ? 'zero' : 'grid', [axis.at(tick), TOP], [axis.at(tick), bottom]),
    label('faint middle', axis.at(tick), bottom + 18, String(tick)),
  ]);
  const body = rows.flatMap((row, index) => rowOf(row, TOP + (index + 0.5) * ROW, axis.at));
  const description = `${unit}. ${rows.map((row) => `${row.label}: ${row.text}`).join('; ')}.`;
  const foot = label('faint middle', (LEFT + RIGHT) / 2, bottom + 38, unit);
  return svgFile({ title, description, width: WIDTH, height: bottom + 52, body: [...ticks, foot, ...body] });
}

function rowOf(
  { label: name, text, mean, low, high, series }: IntervalRow,
  y: number,
  at: (value: number) => number,
) {
  const interval =
    low === null || high === null ? [] : [line(`s${series} curve`, [at(low), y], [at(high), y])];
  return [
    label('', 16, y + 4, name),
    ...interval,
    ...(mean === null ? [] : [mark(series, at(mean), y)]),
    label('faint', RIGHT + 14, y + 4, text),
  ];
}

/** A point of a series. */
export function mark(series: number, x: number, y: number): string {
  if (series === 0) return element('circle', { class: 'f0', cx: x, cy: y, r: 5 });
  const rotation = series === 1 ? {} : { transform: `rotate(45 ${x.toFixed(1)} ${y.toFixed(1)})` };
  return element('rect', { class: `f${series}`, x: x - 4.5, y: y - 4.5, width: 9, height: 9, ...rotation });
}
