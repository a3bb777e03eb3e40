import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { scoreBandOf } from '../../core/alerts/alert-names.ts';
import { type Card, type CardSubject, cardOf } from '../../core/alerts/cards/card.ts';
import { type Axes, placeOf, priceTicks } from '../../core/alerts/charts/axes.ts';
import { chartAxes, chartPicture, type PriceChart } from '../../core/alerts/charts/price-chart.ts';

/** The size in pixels that link previews show uncropped (ogp.me names no size; 1.91 to 1 is usual). */
const SIZE = { width: 1_200, height: 630 };
/** The light colours of src/site/assets/tokens.css: a picture does not know who looks at it. */
const COLOURS = { text: '#14171c', muted: '#555d69', accent: '#0b5fa5', right: '#0a6b45', wrong: '#b3261e' };
const NORMAL = 400;
const BOLD = 600;
/** Inter, bundled (OFL 1.1; its notice is in the package). A name a subset: of one name only one font is looked into. */
const FONTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'].flatMap(
  (subset) => [fontOf(subset, NORMAL), fontOf(subset, BOLD)],
);

function fontOf(subset: string, weight: typeof NORMAL | typeof BOLD) {
  const folder = import.meta.resolve('@fontsource/inter/package.json');
  const data = readFileSync(new URL(`./files/inter-${subset}-${weight}-normal.woff`, folder));
  return { name: `Inter ${subset}`, weight, style: 'normal' as const, data };
}

/** The PNG of a card. */
export async function drawCard(subject: CardSubject): Promise<Uint8Array<ArrayBuffer>> {
  const picture = new Resvg(await layOut(subject), { font: { loadSystemFonts: false } }).render();
  // In memory of its own, that a thread can pass on.
  return new Uint8Array(picture.asPng());
}

/** A card as SVG: laid out again without the characters that the fonts turned out to lack. */
export async function layOut(subject: CardSubject): Promise<string> {
  const missing = new Set<string>();
  for (;;) {
    const known = missing.size;
    const svg = await satori(cardTree(cardOf(subject, missing), subject.chart), {
      ...SIZE,
      fonts: FONTS,
      async loadAdditionalAsset(_language, segment) {
        for (const character of segment) missing.add(character);
        return [];
      },
    });
    if (missing.size === known) return svg;
  }
}

interface CardElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}
type Style = Readonly<Record<string, string | number>>;

function box(style: Style, ...children: readonly CardElement[]): CardElement {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

/** At most so many lines, also of a word without an end. */
function text(words: string, style: Style, lines = 1): CardElement {
  const cut = { display: 'block', lineClamp: lines, wordBreak: 'break-word', overflow: 'hidden' };
  return { type: 'div', props: { style: { ...cut, lineHeight: 1.2, ...style }, children: words } };
}

function image(svg: string, size: { readonly width: number; readonly height: number }): CardElement {
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return { type: 'img', props: { src, ...size } };
}

const ICON = readFileSync(new URL('../../site/assets/icon.svg', import.meta.url), 'utf8');
const NOTE = 'Suspicious by its pattern: no proof, no forecast, not advice.';

function cardTree(card: Card, chart: PriceChart | null): CardElement {
  const axes = chart && chartAxes(chart);
  return box(
    {
      ...SIZE,
      boxSizing: 'border-box',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: '32px 56px',
      background: '#fff',
      color: COLOURS.text,
      fontFamily: 'Inter latin',
      fontWeight: NORMAL,
    },
    box(
      { alignItems: 'center', gap: 12 },
      image(ICON, { width: 34, height: 34 }),
      text('Tipoff', { fontSize: 28, fontWeight: BOLD, flexGrow: 1 }),
      text(card.reference, { fontSize: 22, color: COLOURS.muted }),
    ),
    box(
      { flexDirection: 'column', gap: 8 },
      text(card.title, { fontSize: 44, fontWeight: BOLD }, 3),
      text(card.trade, { fontSize: 28 }, 2),
      ...(card.stamp === null ? [] : [stamp(card.stamp)]),
    ),
    box({ alignItems: 'center', gap: 40 }, score(card), ...(chart && axes ? [plot(chart, axes)] : [])),
    text(NOTE, { fontSize: 20, color: COLOURS.muted }),
  );
}

function stamp({ kind, words }: NonNullable<Card['stamp']>): CardElement {
  const color = COLOURS[kind];
  const frame = { padding: '4px 16px', border: `3px solid ${color}`, borderRadius: 10 };
  return box(
    { ...frame, alignSelf: 'flex-start', maxWidth: '100%' },
    text(words, { color, fontSize: 26, fontWeight: BOLD }),
  );
}

function score({ score: points, price, reasons }: Card): CardElement {
  return box(
    { flexDirection: 'column', width: 430, flexShrink: 0 },
    box(
      { alignItems: 'baseline', gap: 12 },
      text(String(points), { fontSize: 84, lineHeight: 1, fontWeight: BOLD }),
      text(scoreBandOf(points).word, { fontSize: 28, color: COLOURS.muted }),
    ),
    text(`Price then ${price}`, { fontSize: 26, color: COLOURS.muted }),
    ...reasons.map((reason) => text(reason, { fontSize: 21, lineHeight: 1.4 })),
  );
}

/** In pixels; prices stand on its left. */
const PLOT = { width: 540, height: 190 };
const LABELS = 72;
/** Of the marks and lines of the page. */
const SCALE = 2;
const CHART_STYLE = `
  path, line { fill: none; stroke-width: 1.25; stroke-linecap: round; stroke-linejoin: round }
  .line { stroke: ${COLOURS.accent} }
  .grid { stroke: #d8dce3; stroke-width: 0.5 }
  .mark circle { fill: none }
  .mark path { fill: ${COLOURS.text}; stroke: #fff }
  .right path { fill: ${COLOURS.right} }
  .wrong path { fill: ${COLOURS.wrong} }
  .exit path { stroke: ${COLOURS.text}; stroke-width: 2 }
  .exit .ground { stroke: #fff; stroke-width: 5 }
  .settled line { stroke: ${COLOURS.muted}; stroke-dasharray: 4 4 }
  .settled circle { fill: #fff; stroke: ${COLOURS.text}; stroke-width: 2 }`;

/** The chart of the page, larger; its words are those of the card's font. */
function plot(chart: PriceChart, axes: Axes): CardElement {
  const units = { width: PLOT.width / SCALE, height: PLOT.height / SCALE };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PLOT.width}" height="${PLOT.height}"
    viewBox="0 0 ${units.width} ${units.height}"><style>${CHART_STYLE}</style>${chartPicture(chart, axes, units)}</svg>`;
  const labels = priceTicks(axes).map((cent) => {
    const [, y] = placeOf({ at: 0, price: cent / 100 }, axes, PLOT);
    return box(
      { position: 'absolute', left: 0, top: y - 11, width: LABELS - 10, justifyContent: 'flex-end' },
      text(`${cent}¢`, { fontSize: 18, color: COLOURS.muted }),
    );
  });
  return box({ position: 'relative', paddingLeft: LABELS }, image(svg, PLOT), ...labels);
}
