import { capitalised, cents, utcMinute } from '../../base/text/formats.ts';
import type { ScorePart } from '../../detection/candidate.ts';
import type { Alert } from '../alert.ts';
import { describeTrade, resultAmounts } from '../describe-alert.ts';
import type { Card, CardPart, CardSubject } from './card.ts';
import { drawableText, type HasGlyph } from './drawable-text.ts';

const TITLE_LENGTH = 200;
const OUTCOME_LENGTH = 60;
const REASON_LENGTH = 60;

/** The card of an alert, in characters that the font has. */
export function cardOf({ alert, isWithdrawn }: CardSubject, hasGlyph: HasGlyph): Card {
  const outcome =
    drawableText(alert.outcome, OUTCOME_LENGTH, hasGlyph) ?? `outcome ${alert.outcomeIndex + 1}`;
  return {
    title: titleOf(alert, hasGlyph),
    trade: capitalised(describeTrade({ ...alert, outcome })),
    price: cents(alert.entryPrice),
    score: alert.score,
    parts: alert.details.reasons.filter(({ points }) => points !== 0).map((part) => partOf(part, hasGlyph)),
    stamp: stampOf(alert),
    reference: `Alert ${alert.id}${isWithdrawn ? ', withdrawn from channels' : ''} · ${utcMinute(alert.tradedAt)}`,
  };
}

function stampOf(alert: Alert): Card['stamp'] {
  const amounts = resultAmounts(alert);
  if (amounts === null) return null;
  return alert.resolution?.won === true
    ? { kind: 'right', words: `Right: ${amounts}` }
    : { kind: 'wrong', words: `Wrong: ${amounts}` };
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

function partOf({ factor, points, max, note }: ScorePart, hasGlyph: HasGlyph): CardPart {
  const words = drawableText(note, REASON_LENGTH, hasGlyph) ?? factor.replaceAll('_', ' ');
  return { words: capitalised(words), points, max };
}
