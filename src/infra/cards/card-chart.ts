import type { AlertMark, PriceDrawing } from '../../core/alerts/charts/price-drawing.ts';
import { box, type CardElement, COLOURS, element, words } from './card-elements.ts';

/** Prices stand on its left. */
const PLOT = { width: 540, height: 190 };
const ROOM_LEFT = 72;
const FONT_SIZE = 18;

/** The price line of the page of an alert, with its marks. */
export function cardChart(drawing: PriceDrawing): CardElement {
  const labels = drawing.y.ticks.map(({ percent, label }) =>
    box(
      {
        position: 'absolute',
        justifyContent: 'flex-end',
        left: 0,
        top: (percent / 100) * PLOT.height - FONT_SIZE / 2,
        width: ROOM_LEFT - 10,
      },
      words(label, { fontSize: FONT_SIZE, lineHeight: 1, color: COLOURS.muted }),
    ),
  );
  return box(
    { position: 'relative', flexShrink: 0, width: ROOM_LEFT + PLOT.width, height: PLOT.height },
    box({ position: 'absolute', left: ROOM_LEFT, top: 0 }, plot(drawing)),
    ...labels,
  );
}

function plot(drawing: PriceDrawing): CardElement {
  const { width, height } = PLOT;
  const { line, gaps } = drawing.paths(PLOT);
  const { settlement, exits } = drawing.chart;
  const grid = drawing.y.ticks.map(({ percent }) => `M0 ${Math.round((percent / 100) * height)}H${width}`);
  const sold = exits.map((exit) => {
    const [left, top] = drawing.place(exit, PLOT);
    return `M${left - 7} ${top - 7}l14 14m0-14l-14 14`;
  });
  return element('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    children: [
      stroke(grid.join(''), { color: COLOURS.line, width: 1 }),
      stroke(gaps, { color: COLOURS.accent, width: 1.5, dashes: '1 5' }),
      stroke(line, { color: COLOURS.accent, width: 2.5 }),
      ...drawing.marks(PLOT).map(triangle),
      stroke(sold.join(''), { color: COLOURS.text, width: 3 }),
      ...(settlement === null ? [] : [ring(drawing.place(settlement, PLOT))]),
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
  return element('path', {
    d: `M${x} ${y + tip}L${x + half} ${y + base}H${x - half}z`,
    fill: COLOURS[first.result === 'open' ? 'text' : first.result],
    stroke: COLOURS.ground,
    'stroke-width': 2,
  });
}

function ring([cx, cy]: readonly [number, number]): CardElement {
  return element('circle', { cx, cy, r: 7, fill: COLOURS.ground, stroke: COLOURS.text, 'stroke-width': 3 });
}
