import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import { CARD_SIZE, type Card } from '../../core/alerts/cards/card.ts';
import { cardTree } from './card-tree.ts';
import { FONTS } from './fonts.ts';

/** The picture as SVG; its letters are paths. */
export function layOutCard(card: Card): Promise<string> {
  return satori(cardTree(card), { ...CARD_SIZE, fonts: FONTS });
}

/** The picture as PNG. */
export async function drawCard(card: Card): Promise<Uint8Array<ArrayBuffer>> {
  const svg = await layOutCard(card);
  const png = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
  // Memory of its own, that a thread can pass on.
  return new Uint8Array(png);
}
