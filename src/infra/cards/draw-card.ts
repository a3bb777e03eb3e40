import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { scoreBandOf } from '../../core/alerts/alert-names.ts';
import { CARD_SIZE, type Card } from '../../core/alerts/cards/card.ts';
import { cardChart } from './card-chart.ts';
import { box, type CardElement, COLOURS, clamped, element, words } from './card-elements.ts';
import { FONTS, WEIGHTS } from './fonts.ts';

/** A PNG of a card's elements. */
export async function drawCard(tree: CardElement): Promise<Uint8Array<ArrayBuffer>> {
  const svg = await satori(tree, { ...CARD_SIZE, fonts: FONTS });
  // In memory of its own, that a thread can pass on.
  return new Uint8Array(new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng());
}

const NOTE = 'Suspicious by its pattern: no proof, no forecast, not advice.';
/** The first that is long enough for the title, in characters; the last one for all others. */
const TITLE_SIZES = [
  { upTo: 40, fontSize: 52, lines: 2 },
  { upTo: 100, fontSize: 44, lines: 3 },
  { upTo: Number.POSITIVE_INFINITY, fontSize: 38, lines: 3 },
] as const;
/** Reasons: those with the most points. */
const LARGEST_PARTS = 3;

export function cardTree(card: Card): CardElement {
  return box(
    {
      ...CARD_SIZE,
      boxSizing: 'border-box',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: '32px 56px',
      background: COLOURS.ground,
      color: COLOURS.text,
      fontFamily: 'Inter latin',
      fontWeight: WEIGHTS.normal,
      overflow: 'hidden',
    },
    header(card),
    box({ flexDirection: 'column', gap: 8 }, title(card), ...trade(card)),
    box(
      { gap: 40, alignItems: 'center' },
      summary(card),
      ...(card.drawing === null ? [] : [cardChart(card.drawing)]),
    ),
    words(NOTE, { fontSize: 20, color: COLOURS.muted }),
  );
}

function header({ reference }: Card): CardElement {
  const brand = words('Tipoff', { fontSize: 28, fontWeight: WEIGHTS.bold });
  return box(
    { justifyContent: 'space-between', alignItems: 'center' },
    box({ gap: 12, alignItems: 'center' }, icon(), brand),
    words(reference, { fontSize: 22, color: COLOURS.muted }),
  );
}

function icon(): CardElement {
  const line = {
    d: 'M5 22h5l4-6 4 3 5-11',
    fill: 'none',
    stroke: '#fff',
    'stroke-width': 2.6,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  };
  const children = [
    element('rect', { width: 32, height: 32, rx: 7, fill: COLOURS.accent }),
    element('path', line),
    element('circle', { cx: 24.5, cy: 7.5, r: 3.2, fill: '#ffd166' }),
  ];
  return element('svg', { viewBox: '0 0 32 32', width: 34, height: 34, children });
}

function title({ title: text }: Card): CardElement {
  const { fontSize, lines } = TITLE_SIZES.find(({ upTo }) => text.length <= upTo) ?? TITLE_SIZES[2];
  return clamped(text, lines, { fontSize, lineHeight: 1.15, fontWeight: WEIGHTS.bold });
}

function trade({ trade: text, stamp }: Card): readonly CardElement[] {
  const said = clamped(text, 2, { fontSize: 28, lineHeight: 1.2 });
  if (stamp === null) return [said];
  const color = COLOURS[stamp.kind];
  const frame = box(
    {
      alignSelf: 'flex-start',
      maxWidth: '100%',
      marginTop: 4,
      padding: '4px 16px',
      border: `3px solid ${color}`,
      borderRadius: 10,
    },
    clamped(stamp.words, 1, { color, fontSize: 26, lineHeight: 1.2, fontWeight: WEIGHTS.bold }),
  );
  return [said, frame];
}

/** The score, and what gave it most. */
function summary(card: Card): CardElement {
  const rows = card.parts
    .toSorted((a, b) => b.points - a.points)
    .slice(0, LARGEST_PARTS)
    .map(({ words: text, points }) =>
      box(
        { justifyContent: 'space-between', gap: 16, height: 30 },
        box({ width: 340 }, clamped(text, 1, { fontSize: 21 })),
        words(`${points > 0 ? '+' : ''}${points}`, { fontSize: 21, fontWeight: WEIGHTS.bold }),
      ),
    );
  return box(
    { flexDirection: 'column', width: 430, flexShrink: 0 },
    score(card),
    box({ flexDirection: 'column', marginTop: 6 }, ...rows),
  );
}

function score({ score: points, price }: Card): CardElement {
  return box(
    { flexDirection: 'column', width: 330, flexShrink: 0 },
    box(
      { alignItems: 'baseline', gap: 12 },
      words(String(points), { fontSize: 84, lineHeight: 1, fontWeight: WEIGHTS.bold }),
      words(scoreBandOf(points).word, { fontSize: 28, color: COLOURS.muted }),
    ),
    clamped(`Price then ${price}`, 1, { fontSize: 26, color: COLOURS.muted }),
  );
}
