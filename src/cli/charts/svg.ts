import { rounded } from '../../core/base/rounded.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';

/** A picture that needs no script and no font. */
interface Picture {
  readonly title: string;
  /** What the picture shows, with its numbers: the text for readers who cannot see it. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** Elements, below the title (36 px). */
  readonly body: readonly string[];
}

/** Colours follow the reader's light or dark scheme; curves and rows also differ in their shapes. */
const STYLE = `
svg { --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --c0: #0550ae; --c1: #bc4c00; --c2: #1a7f37; --c3: #8250df; --c4: #953800 }
@media (prefers-color-scheme: dark) {
  svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --line: #3d444d; --c0: #79c0ff; --c1: #ffa657; --c2: #7ee787; --c3: #d2a8ff; --c4: #ff7b72 }
}
text { font: 13px system-ui, sans-serif; fill: var(--ink) }
.title { font-size: 16px; font-weight: 600 }
.faint { fill: var(--faint); font-size: 12px }
.end { text-anchor: end }
.middle { text-anchor: middle }
.paper { fill: var(--paper) }
.grid { stroke: var(--line) }
.zero { stroke: var(--faint) }
.curve { fill: none; stroke-width: 2 }
${[0, 1, 2, 3, 4].map((color) => `.s${color} { stroke: var(--c${color}) } .f${color} { fill: var(--c${color}) }`).join('\n')}
.s1.curve { stroke-dasharray: 7 4 }
.s2.curve { stroke-dasharray: 2 3 }
.s3.curve { stroke-dasharray: 9 3 2 3 }
`;

/** Text of an SVG file. */
export function svgFile({ title, description, width, height, body }: Picture): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
  return [
    head,
    `<title id="title">${escapeHtml(title)}</title>`,
    `<desc id="description">${escapeHtml(description)}</desc>`,
    `<style>${STYLE}</style>`,
    element('rect', { class: 'paper', width, height }),
    label('title', 16, 24, title),
    ...body,
    '</svg>\n',
  ].join('\n');
}

type Attributes = Readonly<Record<string, string | number>>;

/** One element; numbers have one decimal. */
export function element(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value, 1) : escapeHtml(value)}"`)
    .join('');
  return content === undefined
    ? `<${name}${written}/>`
    : `<${name}${written}>${escapeHtml(content)}</${name}>`;
}

/** A text at a position. */
export function label(style: string, x: number, y: number, text: string): string {
  return element('text', { class: style, x, y }, text);
}

/** A straight line. */
export function line(style: string, [x1, y1]: Point, [x2, y2]: Point): string {
  return element('line', { class: style, x1, y1, x2, y2 });
}

/** A position in pixels from the upper left corner. */
export type Point = readonly [x: number, y: number];

/** A linear axis with 0 and all values on it. */
interface Axis {
  /** Ascending, multiples of 1, 2 or 5 times a power of ten. */
  readonly ticks: readonly number[];
  /** Position of a value in pixels. */
  at(value: number): number;
}

const STEPS = [1, 2, 5, 10];

/** The axis of these values, of at most 6 decimals, from one pixel to another, with about `count` steps. */
export function axisOf(values: readonly number[], [start, end]: readonly [number, number], count = 6): Axis {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = stepOf((high - low || 1) / count);
  const first = Math.floor(rounded(low / step, 9));
  const last = Math.max(first + 1, Math.ceil(rounded(high / step, 9)));
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step, 9)),
    at: (value) => start + ((value / step - first) / (last - first)) * (end - start),
  };
}

function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((factor) => factor * power >= least) ?? 10) * power;
}
