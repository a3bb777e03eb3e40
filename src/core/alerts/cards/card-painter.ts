import type { AlertSubject } from './card.ts';

/** The service's logo, for clients that do not accept SVG. */
export interface IconSubject {
  readonly kind: 'icon';
  readonly svg: string;
  /** `touch`: a PNG of 180 pixels without transparent corners, which a phone would show black. `favicon`: an ICO. */
  readonly use: 'touch' | 'favicon';
}

/** The general picture: link previews show it for every page but those of alerts. */
interface ServiceSubject {
  readonly kind: 'service';
}

/** What is drawn. */
export type CardSubject = AlertSubject | ServiceSubject | IconSubject;

/** Draws pictures, outside the event loop. */
export interface CardPainter {
  /** A PNG (cards have `CARD_SIZE`), or an ICO for a `favicon`. One call at a time. `signal` ends the drawing. */
  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}
