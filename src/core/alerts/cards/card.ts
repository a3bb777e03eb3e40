import { capitalised, cents, oneLine, utcMinute } from '../../base/text/formats.ts';
import type { ScorePart } from '../../detection/candidate.ts';
import type { Alert } from '../alert.ts';
import { reasonWords } from '../alert-reasons.ts';
import { heldShareOf, stakeOf } from '../bet.ts';
import type { PriceChart } from '../charts/price-chart.ts';
import { drawPrices, type PriceDrawing } from '../charts/price-drawing.ts';
import { courseWords, describeTrade, resultTone } from '../describe-alert.ts';
import type { Exit } from '../exits/exit.ts';

/**
 * Width and height of a card in pixels: the size that link previews show uncropped (ogp.me names no size; 1.91 to 1 is usual).
 */
export const CARD_SIZE = { width: 1_200, height: 630 } as const;

/** One reason of the score on a card. */
export interface CardPart {
  readonly words: string;
  readonly points: number;
}

/** The contents of an alert's picture: every text can be drawn. */
export interface Card {
  /** One line, at most 200 characters. */
  readonly title: string;
  readonly trade: string;
  readonly price: string;
  readonly score: number;
  readonly parts: readonly CardPart[];
  /** What was sold, then what the rest won or lost; `muted` while it is open or what was held is not known, and if it was nothing. */
  readonly stamp: { readonly kind: 'right' | 'wrong' | 'muted'; readonly words: string } | null;
  /** The market's price chart with the alert; null where it is not known. */
  readonly drawing: PriceDrawing | null;
  /** Number of the alert, whether it is withdrawn, and its moment. */
  readonly reference: string;
}

/** An alert whose picture is drawn. */
export interface CardSubject {
  readonly alert: Alert;
  /** The newest alert of its thread, which states the bet. */
  readonly newest: Alert;
  /** The last exit of the thread; null without one. */
  readonly exit: Exit | null;
  /** Null where its market is not observed. */
  readonly chart: PriceChart | null;
}

/** Draws pictures, outside the event loop. */
export interface CardPainter {
  /** A PNG of `CARD_SIZE`. One call at a time. `signal` ends the drawing. */
  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

const TITLE_LENGTH = 200;
const OUTCOME_LENGTH = 60;
const REASON_LENGTH = 60;

/** The card of an alert, in characters that the font has. */
export function cardOf({ alert, newest, exit, chart }: CardSubject, hasGlyph: HasGlyph): Card {
  const outcome =
    drawableText(alert.outcome, OUTCOME_LENGTH, hasGlyph) ?? `outcome ${alert.outcomeIndex + 1}`;
  return {
    title: titleOf(alert, hasGlyph),
    trade: capitalised(describeTrade({ ...newest, outcome })),
    price: cents(stakeOf(newest).meanPrice),
    score: alert.score,
    parts: alert.details.reasons.filter(({ points }) => points !== 0).map((part) => partOf(part, hasGlyph)),
    stamp: stampOf(newest, exit),
    drawing: chart && drawPrices(chart),
    reference: `Alert ${alert.id}${alert.withdrawn === null ? '' : ', withdrawn'} · ${utcMinute(alert.tradedAt)}`,
  };
}

function stampOf(alert: Alert, exit: Exit | null): Card['stamp'] {
  const words = courseWords(alert, exit);
  if (words === null) return null;
  const isKnown = heldShareOf(alert, exit) !== null;
  const kind = (isKnown && resultTone(alert, exit)) || 'muted';
  return { kind, words: capitalised(words) };
}

/** The market's question; where the font lacks its script, the words of its slug, or else the number of the alert. */
function titleOf({ id, eventTitle, eventSlug }: Alert, hasGlyph: HasGlyph): string {
  const words = capitalised(eventSlug.slice(0, 2 * TITLE_LENGTH).replaceAll(/[-_]+/g, ' '));
  return (
    drawableText(eventTitle, TITLE_LENGTH, hasGlyph) ??
    drawableText(words, TITLE_LENGTH, hasGlyph) ??
    `Market of alert ${id}`
  );
}

function partOf({ factor, points, note }: ScorePart, hasGlyph: HasGlyph): CardPart {
  const words = drawableText(reasonWords({ note }), REASON_LENGTH, hasGlyph) ?? factor.replaceAll('_', ' ');
  return { words: capitalised(words), points };
}

/** Whether the font has a character: one of Unicode's basic plane. */
export type HasGlyph = (character: string) => boolean;

/** Longer market texts are read only up to here. */
export const READ_MAX = 2_000;
/** Characters that make an emoji, or change how one looks. */
const EMOJI =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{Variation_Selector}|\u20e3/gu;
/** Characters that have no glyph by nature, such as joiners and soft hyphens. */
const INVISIBLE = /\p{Cf}/gu;
const BLANKS = /\s+/g;
const READABLE = /[\p{L}\p{N}]/u;
/** A font draws most letters with marks as one glyph; other marks would be drawn next to their letter. */
const MARK = /\p{M}/u;

/**
 * A text of the market as one line that the font can draw: emoji are left out, unless the font has them. Null if another
 * character has no glyph, or if nothing readable is left. Longer texts are cut after `length` characters, with `…`.
 */
export function drawableText(text: string, length: number, hasGlyph: HasGlyph): string | null {
  const isDrawn = (character: string) =>
    character.length === 1 && !MARK.test(character) && hasGlyph(character);
  const known = text
    .slice(0, READ_MAX)
    .toWellFormed()
    .normalize('NFC')
    .replace(EMOJI, (sign) => (isDrawn(sign) ? sign : ' '))
    .replace(INVISIBLE, '');
  const characters = [...oneLine(known).replace(BLANKS, ' ').trim()];
  const cut = characters.length <= length ? characters : [...characters.slice(0, length - 1), '…'];
  const line = cut.join('');
  if (!READABLE.test(line)) return null;
  return cut.every((character) => character === ' ' || isDrawn(character)) ? line : null;
}
