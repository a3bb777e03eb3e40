import type { CardFigure, PageCard } from '../../core/alerts/cards/page-card.ts';
import { cardChart } from './card-chart.ts';
import { box, type CardElement, COLOURS, clamped, words } from './card-elements.ts';
import { frame, title } from './draw-card.ts';
import { WEIGHTS } from './fonts.ts';

const NOTE = 'Statistics about public trades: no proof, no forecast, not advice.';
const LEAD = { fontSize: 28, lineHeight: 1.3 };
const LEAD_LINES = 4;
const BESIDE_CHART = { width: 430, flexShrink: 0 };

export function pageCardTree(card: PageCard): CardElement {
  const { lead, figures, drawing } = card;
  const said = lead === '' ? [] : [clamped(lead, drawing === null ? LEAD_LINES : 2, LEAD)];
  const head = box({ flexDirection: 'column', gap: 16 }, title(card), ...said);
  if (drawing !== null) {
    const column = box({ flexDirection: 'column', gap: 14, ...BESIDE_CHART }, ...figures.map(figure));
    return frame(card, NOTE, head, box({ gap: 40, alignItems: 'center' }, column, cardChart(drawing)));
  }
  const row = figures.map((one) => box({ width: 0, flexGrow: 1 }, figure(one)));
  return frame(card, NOTE, head, ...(row.length === 0 ? [] : [box({ gap: 40 }, ...row)]));
}

function figure({ value, name }: CardFigure): CardElement {
  return box(
    { flexDirection: 'column', width: '100%' },
    words(value, { fontSize: 48, lineHeight: 1.2, fontWeight: WEIGHTS.bold }),
    clamped(name, 2, { fontSize: 22, lineHeight: 1.25, color: COLOURS.muted }),
  );
}
