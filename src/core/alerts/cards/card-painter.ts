import type { AlertSubject } from './card.ts';
import type { PageSubject } from './page-card.ts';

/** The sign of the service, for those who do not take it as SVG. */
export interface IconSubject {
  readonly kind: 'icon';
  readonly svg: string;
  /** `touch`: a PNG of 180 pixels without transparent corners, which a phone would show black. `favicon`: an ICO. */
  readonly use: 'touch' | 'favicon';
}

/** What is drawn. */
export type CardSubject = AlertSubject | PageSubject | IconSubject;

/** Draws pictures, outside the event loop. */
export interface CardPainter {
  /** A PNG, of cards of `CARD_SIZE`; of a `favicon` an ICO. One call at a time. `signal` ends the drawing. */
  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}
