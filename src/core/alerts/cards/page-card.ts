import type { PriceChart } from '../charts/price-chart.ts';
import { drawPrices, type PriceDrawing } from '../charts/price-drawing.ts';
import { drawableText, type HasGlyph } from './card.ts';

/** A figure on the picture of a page, with its unit. */
export interface CardFigure {
  readonly value: string;
  /** What it measures, in a few words. */
  readonly name: string;
}

/** A page whose picture is drawn. Texts may come from strangers. */
export interface PageSubject {
  readonly kind: 'page';
  /** The first that the font can draw is shown. The last one is the service's own and can always be drawn. */
  readonly titles: readonly string[];
  /** A sentence or two; left out if the font cannot draw it. */
  readonly lead: string;
  /** At most three. */
  readonly figures: readonly CardFigure[];
  /** Null where no price is shown. */
  readonly chart: PriceChart | null;
  /** What the page is, in a few words next to the name of the service. */
  readonly reference: string;
}

/** The contents of a page's picture: every text can be drawn. */
export interface PageCard extends Pick<PageSubject, 'figures' | 'reference'> {
  /** One line, at most 200 characters. */
  readonly title: string;
  /** At most 300 characters; empty without one. */
  readonly lead: string;
  readonly drawing: PriceDrawing | null;
}

const TITLE_LENGTH = 200;
const LEAD_LENGTH = 300;

/** The card of a page, in characters that the font has. */
export function pageCardOf(
  { titles, lead, figures, chart, reference }: PageSubject,
  hasGlyph: HasGlyph,
): PageCard {
  const drawable = titles.map((title) => drawableText(title, TITLE_LENGTH, hasGlyph));
  return {
    title: drawable.find((title) => title !== null) ?? '',
    lead: drawableText(lead, LEAD_LENGTH, hasGlyph) ?? '',
    ...{ figures, reference },
    drawing: chart && drawPrices(chart),
  };
}
