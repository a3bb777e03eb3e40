import type { Alert } from '../alert.ts';

/** Width and height of a card in pixels: the size that previews of links show whole (ogp.me names no size; 1.91 to 1 is usual). */
export const CARD_SIZE = { width: 1_200, height: 630 } as const;

/** One reason of the score on a card. */
export interface CardPart {
  readonly words: string;
  readonly points: number;
  readonly max: number;
}

/** The contents of an alert's picture: every text can be drawn. */
export interface Card {
  /** One line, at most 200 characters. */
  readonly title: string;
  /** As `describeTrade` says. */
  readonly trade: string;
  /** Price of the order. */
  readonly price: string;
  /** 0 to 100. */
  readonly score: number;
  readonly parts: readonly CardPart[];
  /** As `describeResult` says, without its sign; null while the market is not settled. */
  readonly stamp: { readonly kind: 'right' | 'wrong'; readonly words: string } | null;
  /** Number of the alert, whether it is withdrawn, and its moment. */
  readonly reference: string;
}

/** An alert whose picture is drawn. */
export interface CardSubject {
  readonly alert: Alert;
  /** Whether an operator has stated that its posts are withdrawn. */
  readonly isWithdrawn: boolean;
}

/** Draws the pictures of alerts, outside the event loop. */
export interface CardPainter {
  /** A PNG of `CARD_SIZE`. One call at a time. `signal` ends the drawing. */
  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}
