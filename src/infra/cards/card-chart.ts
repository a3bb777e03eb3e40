import type { AlertMark } from '../../core/alerts/charts/alert-marks.ts';
import type { PriceDrawing } from '../../core/alerts/charts/price-drawing.ts';
import { cents } from '../../core/base/text/formats.ts';
import { box, type CardElement, COLOURS, element, words } from './card-elements.ts';

/** Of the plot: prices stand on its left, dates below it, and what was paid above it. */
const PLOT = { width: 540, height: 144 };
const ROOM = { left: 72, top: 30, right: 6, bottom: 30 };
const FONT_SIZE = 18;
/** Marks are placed for texts of 12 px. */
const SCALE = FONT_SIZE / 12;

/** The chart of the page of an alert. */
export function cardChart(drawing: PriceDrawing): CardElement {
  const size = {
    width: ROOM.left + PLOT.width + ROOM.right,
    height: ROOM.top + PLOT.height + ROOM.bottom,
  };
  const marks = drawing.marks({ width: PLOT.width / SCALE, height: PLOT.height / SCALE });
  return box(
    { position: 'relative', flexShrink: 0, ...size },
    box({ position: 'absolute', left: ROOM.left, top: ROOM.top }, plot(drawing, marks)),
    ...drawing.y.ticks.map(({ percent, label }) =>
      textAt(label, -10 - TEXT_BOX.width / 2, share(percent, PLOT.height), 'flex-end'),
    ),
    ...drawing.x.ticks.map(({ percent, label }) =>
      textAt(label, share(percent, PLOT.width), PLOT.height + 18),
    ),
    ...marks.flatMap(labelOf),
    ...settlementWords(drawing),
  );
}

function plot(drawing: PriceDrawing, marks: readonly AlertMark[]): CardElement {
  const { chart, x, y } = drawing;
  const { line, gaps } = drawing.paths(PLOT);
  const { width, height } = PLOT;
  const at = (percent: number, of: number) => share(percent, of).toFixed(1);
  const grid = [
    ...y.ticks.map(({ percent }) => `M0 ${at(percent, height)}H${width}`),
    ...x.ticks.map(({ percent }) => `M${at(percent, width)} 0V${height}`),
  ];
  const { settlement } = chart;
  const paid = settlement === null ? null : drawing.place(settlement, PLOT);
  return element('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    children: [
      stroke(`${grid.join('')}M0 ${height}H${width}`, { color: COLOURS.line, width: 1 }),
      stroke(gaps, { color: COLOURS.accent, width: 1.5, dashes: '1 5' }),
      stroke(line, { color: COLOURS.accent, width: 2.5 }),
      ...(paid === null
        ? []
        : [stroke(`M${paid[0]} 0V${height}`, { color: COLOURS.muted, width: 1.5, dashes: '5 5' })]),
      ...marks.map(triangle),
      ...chart.exits.map((exit) => {
        const [left, top] = drawing.place(exit, PLOT);
        return stroke(`M${left - 7} ${top - 7}l14 14m0-14l-14 14`, { color: COLOURS.text, width: 3 });
      }),
      ...(paid === null ? [] : [ring(paid)]),
    ],
  });
}

function stroke(
  d: string,
  { color, width, dashes }: { readonly color: string; readonly width: number; readonly dashes?: string },
): CardElement {
  return element('path', {
    d,
    fill: 'none',
    stroke: color,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    ...(dashes !== undefined && { 'stroke-dasharray': dashes }),
  });
}

function triangle({ alerts: [first], x, y }: AlertMark): CardElement {
  const half = first.isMain === true ? 14 : 10;
  const [tip, base] = first.isFirstOutcome ? [-half, half - 2] : [half, 2 - half];
  const [left, top] = [x * SCALE, y * SCALE];
  return element('path', {
    d: `M${left} ${top + tip}L${left + half} ${top + base}H${left - half}z`,
    fill: COLOURS[first.result === 'open' ? 'text' : first.result],
    stroke: COLOURS.ground,
    'stroke-width': 2,
  });
}

function ring([cx, cy]: readonly [number, number]): CardElement {
  return element('circle', { cx, cy, r: 7, fill: COLOURS.ground, stroke: COLOURS.text, 'stroke-width': 3 });
}

function labelOf({ x, y, label }: AlertMark): readonly CardElement[] {
  if (label === null) return [];
  return [textAt(label.text, x * SCALE, (y + (label.isAbove ? -16 : 16)) * SCALE, 'center', COLOURS.text)];
}

/** The payout is what is latest: its words end at the right edge. */
function settlementWords(drawing: PriceDrawing): readonly CardElement[] {
  const { settlement } = drawing.chart;
  if (settlement === null) return [];
  return [textAt(`paid ${cents(settlement.price)}`, PLOT.width - TEXT_BOX.width / 2, -16, 'flex-end')];
}

const TEXT_BOX = { width: 120, height: 24 };

/** In the middle of a box around this point of the plot, or at the right of it. */
function textAt(
  text: string,
  left: number,
  top: number,
  justifyContent: 'center' | 'flex-end' = 'center',
  color: string = COLOURS.muted,
): CardElement {
  return box(
    {
      position: 'absolute',
      alignItems: 'center',
      justifyContent,
      ...TEXT_BOX,
      left: ROOM.left + left - TEXT_BOX.width / 2,
      top: ROOM.top + top - TEXT_BOX.height / 2,
    },
    // Covers the line behind it.
    words(text, { fontSize: FONT_SIZE, lineHeight: 1, padding: '0 2px', background: COLOURS.ground, color }),
  );
}

function share(percent: number, of: number): number {
  return (percent / 100) * of;
}
