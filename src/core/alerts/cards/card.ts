import { capitalised, cents, cutText, oneLine, utcMinute } from '../../base/text/formats.ts';
import type { Alert } from '../alert.ts';
import { mainReasons } from '../alert-reasons.ts';
import { heldShareOf, stakeOf } from '../bet.ts';
import type { PriceChart } from '../charts/price-chart.ts';
import { courseWords, describeTrade, resultTone } from '../describe-alert.ts';
import type { Exit } from '../exits/exit.ts';

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
  /** A PNG. One call at a time. `signal` ends the drawing. */
  draw(subject: CardSubject, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** The words of an alert's picture: every text can be drawn. */
export interface Card {
  /** One line, at most 200 characters. */
  readonly title: string;
  readonly trade: string;
  readonly price: string;
  readonly score: number;
  readonly reasons: readonly string[];
  /** What was sold, then what the rest won or lost; `muted` while it is open or what was held is not known, and if it was nothing. */
  readonly stamp: { readonly kind: 'right' | 'wrong' | 'muted'; readonly words: string } | null;
  /** Number of the alert, whether it is withdrawn, and its moment. */
  readonly reference: string;
}

const TITLE_LENGTH = 200;
const OUTCOME_LENGTH = 60;

/** The card of an alert. `missing`: characters that the font lacks. */
export function cardOf(
  { alert, newest, exit }: Omit<CardSubject, 'chart'>,
  missing: ReadonlySet<string> = new Set(),
): Card {
  const outcome = drawableText(alert.outcome, OUTCOME_LENGTH, missing) ?? `outcome ${alert.outcomeIndex + 1}`;
  return {
    title: titleOf(alert, missing),
    trade: capitalised(describeTrade({ ...newest, outcome })),
    price: cents(stakeOf(newest).meanPrice),
    score: alert.score,
    reasons: mainReasons(alert).map(capitalised),
    stamp: stampOf(newest, exit),
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
function titleOf({ id, eventTitle, eventSlug }: Alert, missing: ReadonlySet<string>): string {
  const words = capitalised(eventSlug.replaceAll(/[-_]+/g, ' '));
  return (
    drawableText(eventTitle, TITLE_LENGTH, missing) ??
    drawableText(words, TITLE_LENGTH, missing) ??
    `Market of alert ${id}`
  );
}

/** Longer market texts are read only up to here. */
const READ_MAX = 2_000;
/** Emoji, marks that would be drawn beside their letter, and characters that have no glyph by nature, such as soft hyphens. */
const LEFT_OUT = /[\p{Emoji_Presentation}\p{M}\p{Cf}]/gu;
const READABLE = /[\p{L}\p{N}]/u;

/** A text of the market as one line of at most `length` characters. Null if one is missing, or if nothing readable is left. */
export function drawableText(text: string, length: number, missing: ReadonlySet<string>): string | null {
  const known = text.slice(0, READ_MAX).normalize('NFC').replace(LEFT_OUT, '');
  const line = cutText(oneLine(known).replace(/\s+/g, ' ').trim(), length);
  const isDrawn = READABLE.test(line) && [...line].every((character) => !missing.has(character));
  return isDrawn ? line : null;
}
