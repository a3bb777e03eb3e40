import { mark } from './interval-chart.ts';
import { axisOf, element, label, line, svgFile } from './svg.ts';

/** A named line through points, ascending by `x`. */
export interface Curve {
  readonly name: string;
  /** `text`: written beside the point. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly text?: string }[];
  /** Only its points are drawn. */
  readonly isMarksOnly?: boolean;
}

interface CurveChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** At most five. */
  readonly curves: readonly Curve[];
  /** Names of values of `x`; its numbers without it. */
  readonly names?: readonly { readonly x: number; readonly text: string }[];
  /** How a value of `y` is written. Default: as a number. */
  readonly write?: (y: number) => string;
}

const [WIDTH, HEIGHT] = [720, 380];
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 660, 76, 320];
const MOST_NAMES = 12;

/** Curves over one axis. */
export function curveChart(chart: CurveChart): string {
  const { title, xLabel, yLabel, curves, names, write = String } = chart;
  const points = curves.flatMap((curve) => curve.points);
  const xAxis = axisOf(
    points.map(({ x }) => x),
    [LEFT, RIGHT],
    10,
  );
  const yAxis = axisOf(
    points.map(({ y }) => y),
    [BOTTOM, TOP],
  );
  const every = Math.ceil((names?.length ?? 0) / MOST_NAMES);
  const shown =
    names?.filter((_, index) => index % every === 0) ?? xAxis.ticks.map((x) => ({ x, text: String(x) }));
  const body = [
    ...yAxis.ticks.flatMap((tick) => [
      line(tick === 0 ? 'zero' : 'grid', [LEFT, yAxis.at(tick)], [RIGHT, yAxis.at(tick)]),
      label('faint end', LEFT - 8, yAxis.at(tick) + 4, write(tick)),
    ]),
    ...shown.map(({ x, text }) => label('faint middle', xAxis.at(x), BOTTOM + 20, text)),
    label('faint', 16, TOP - 32, yLabel),
    label('faint middle', (LEFT + RIGHT) / 2, BOTTOM + 44, xLabel),
    ...curves.flatMap((curve, index) => legendOf(curve, index, curves.length)),
    ...curves.flatMap((curve, index) => drawn(curve, index, [xAxis.at, yAxis.at])),
  ];
  return svgFile({ title, description: descriptionOf(chart), width: WIDTH, height: HEIGHT, body });
}

function descriptionOf({ xLabel, yLabel, curves, names, write = String }: CurveChart): string {
  const nameOf = (x: number) => names?.find((each) => each.x === x)?.text ?? String(x);
  const texts = curves.map(({ name, points }) => {
    const values = points.map(
      ({ x, y, text }) => `${nameOf(x)} ${write(y)}${text === undefined ? '' : ` (${text})`}`,
    );
    return `${name}: ${values.join(', ')}.`;
  });
  return `${yLabel} by ${xLabel}. ${texts.join(' ')}`;
}

type ToPixels = (value: number) => number;

function drawn(
  { points, isMarksOnly }: Curve,
  index: number,
  [left, top]: readonly [ToPixels, ToPixels],
): string[] {
  const corners = points.map(({ x, y }) => `${left(x).toFixed(1)},${top(y).toFixed(1)}`).join(' ');
  return [
    ...(isMarksOnly === true ? [] : [element('polyline', { class: `s${index} curve`, points: corners })]),
    ...points.flatMap(({ x, y, text }) => [
      mark(index, left(x), top(y)),
      ...(text === undefined ? [] : [label('faint', left(x) + 10, top(y) + 4, text)]),
    ]),
  ];
}

/** From the right end, so that the label of the axis keeps its room. */
function legendOf({ name, isMarksOnly }: Curve, index: number, count: number): string[] {
  if (count === 1) return [];
  const x = RIGHT - (count - index) * Math.min(135, (RIGHT - LEFT) / count);
  const stroke = isMarksOnly === true ? [] : [line(`s${index} curve`, [x, TOP - 20], [x + 22, TOP - 20])];
  return [...stroke, mark(index, x + 11, TOP - 20), label('faint', x + 28, TOP - 16, name)];
}
