import type { Alert } from '../../../src/core/alerts/alert.ts';
import { type DescribedAlert, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import { capitalised, marketAddress, oneLine } from '../../../src/core/base/text/formats.ts';
import { type Paragraph, shortened, type TextSpan } from '../screen.ts';

const TITLE_LENGTH = 120;
/** Room for `… and 1,234 more`. */
const REST_LENGTH = 24;
/** What may be escaped on a platform. */
const SIGNS = /[\\`*_~|<>[\]()@#+.-]/g;
/** Marks around a span, the most of any platform: a link `[…](<…>)`. */
const MARKS = 6;

type ListedAlert = DescribedAlert & Pick<Alert, 'id' | 'eventTitle' | 'eventSlug' | 'score'>;

/** What a list shows of its alerts. */
interface ListOptions<Shown> {
  /** Characters on any platform, with markup (`lengthOf`). */
  readonly room: number;
  readonly line: (alert: Shown) => Paragraph;
  /** Number of alerts beyond the given ones. */
  readonly more?: number;
}

/** As many alerts as fit, and how many did not. */
export function listed<Shown extends ListedAlert>(
  alerts: readonly Shown[],
  { room, line, more = 0 }: ListOptions<Shown>,
): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let left = room - REST_LENGTH;
  for (const alert of alerts) {
    const paragraph = line(alert);
    left -= lengthOf([paragraph]);
    if (left < 0) break;
    paragraphs.push(paragraph);
  }
  const rest = alerts.length - paragraphs.length + more;
  if (rest === 0) return paragraphs;
  return [...paragraphs, [`… and ${rest.toLocaleString('en-US')} more`]];
}

/**
 * An alert as one entry of a list: the market, what was traded for how much, and how strong it is. It leads to the alert's page, or to the market
 * where `siteUrl` is null.
 */
export function alertLine(alert: ListedAlert, siteUrl: string | null): Paragraph {
  const link = siteUrl === null ? marketAddress(alert.eventSlug) : siteUrl + alertPath(alert.id);
  return [
    { link, text: shortened(oneLine(alert.eventTitle), TITLE_LENGTH) },
    `\n${capitalised(describeTrade({ ...alert, outcome: shortened(alert.outcome, TITLE_LENGTH) }))} · score ${alert.score}`,
  ];
}

/** The same with what became of it. */
export function alertLineWithResult(alert: Alert, siteUrl: string | null): Paragraph {
  const { resolution } = alert;
  const result = resolution === null ? 'open' : resolution.won ? '✅ right' : '❌ wrong';
  return [...alertLine(alert, siteUrl), ` · ${result}`];
}

/** Characters of paragraphs, each with an empty line behind it, as the platform counts that escapes and marks most. */
export function lengthOf(body: readonly Paragraph[]): number {
  return body.flat().reduce((sum, span) => sum + spanLength(span), 2 * body.length);
}

function spanLength(span: TextSpan): number {
  if (typeof span === 'string') return escapedLength(span);
  if ('link' in span) return escapedLength(span.text) + span.link.length + MARKS;
  return MARKS + escapedLength(Object.values(span)[0] ?? '');
}

function escapedLength(text: string): number {
  return text.length + (text.match(SIGNS)?.length ?? 0);
}
