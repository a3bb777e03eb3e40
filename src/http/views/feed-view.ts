import { Feed } from 'feed';
import { z } from 'zod';
import { scoreBandOf, TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import { courseWords, describeStake, describeTrade, paidWords } from '../../core/alerts/describe-alert.ts';
import { exitWords } from '../../core/alerts/exits/exit-words.ts';
import { withFreeDelay } from '../../core/alerts/free-delay.ts';
import type { PublishedEvent } from '../../core/alerts/newest-events.ts';
import { alertPath, marketPath } from '../../core/alerts/site-paths.ts';
import { iso } from '../../core/base/text/date-time.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { counted, cutText, listed, oneLine, utcMinute } from '../../core/base/text/formats.ts';
import { type LinkedMarket, marketAddress } from '../../core/trades/other-sites.ts';
import { component, listOf, moment, text } from '../schemas/fields.ts';
import { FEED_EXAMPLE } from './report-examples.ts';

const TITLE_LENGTH = 200;
const TEXT_LENGTH = 600;
const OUTCOME_LENGTH = 100;

const feedItemSchema = component('FeedItem', 'One alert, outcome or exit.', {
  id: text(
    'Stable id of the item: `urn:tipoff:alert:`, `outcome:` or `exit:` and a number.',
    'urn:tipoff:alert:4821',
  ),
  url: text('The page of the alert or of the market; without a site, its path in the API.'),
  external_url: text('The page of the market.'),
  title: text('Market question and score, or what happened.'),
  content_text: text('The trade in words and what became of the position, or the outcome or exit.'),
  date_published: moment('When it was published.'),
  date_modified: moment(
    'When the position of the alert was sold on the market; absent otherwise, and if `events` contains `exit`.',
  ).optional(),
  tags: listOf(z.string(), 'Category, and kind of alert, `outcome` or `exit`.'),
});
type FeedItem = z.infer<typeof feedItemSchema>;

/** What the kinds of events differ in. */
interface ItemParts {
  readonly number: number;
  readonly path: string;
  readonly market: LinkedMarket;
  readonly note: string;
  readonly content: string;
  readonly tags: string[];
  readonly modifiedAt?: number;
}

function feedItem(event: PublishedEvent, publicUrl: string): FeedItem {
  const { number, path, market, note, content, tags, modifiedAt } = partsOf(event);
  return {
    id: `urn:tipoff:${event.kind}:${number}`,
    url: publicUrl + path,
    external_url: marketAddress(market),
    title: `${brief(market.eventTitle, TITLE_LENGTH)} (${note})`,
    content_text: brief(content, TEXT_LENGTH),
    date_published: iso(event.at),
    ...(modifiedAt !== undefined && { date_modified: iso(modifiedAt) }),
    tags,
  };
}

function partsOf(event: PublishedEvent): ItemParts {
  if (event.kind === 'alert') return alertParts(event);
  return event.kind === 'exit' ? exitParts(event) : outcomeParts(event);
}

function alertParts({ alert, exit }: PublishedEvent & { readonly kind: 'alert' }): ItemParts {
  const { id, type, score, category, tradedAt, withdrawn } = alert;
  const left = exit === null ? '' : ` ${exitWords(exit)}.`;
  return {
    number: id,
    path: alertPath(id),
    market: alert,
    note: `score ${score}${withdrawn === null ? '' : ', withdrawn'}`,
    content: `${TYPE_NAMES[type]}: ${brief(describeTrade(alert), TEXT_LENGTH / 2)}. Score ${score} of 100, ${scoreBandOf(score).word}. Traded ${utcMinute(tradedAt)}.${left}`,
    tags: [category, type],
    ...(exit !== null && { modifiedAt: exit.createdAt }),
  };
}

function exitParts({ exit }: PublishedEvent & { readonly kind: 'exit' }): ItemParts {
  const { number, level, alertIds, category, outcome } = exit;
  return {
    number,
    path: alertPath(alertIds.at(-1) ?? exit.threadId),
    market: exit,
    note: `exit: ${level === 'out' ? 'all' : 'half or more'}`,
    content: `${brief(outcome, OUTCOME_LENGTH)}: ${exitWords(exit)}.`,
    tags: [category, 'exit'],
  };
}

function outcomeParts(event: PublishedEvent & { readonly kind: 'outcome' }): ItemParts {
  const { number, settlement, matches, alert, exit } = event;
  const paid = paidWords(settlement, (name) => brief(name, OUTCOME_LENGTH));
  const course = courseWords(alert, exit);
  const newest = `${brief(describeStake(alert), TEXT_LENGTH / 2)}${course === null ? '' : `: ${course}`}`;
  return {
    number,
    path: marketPath(alert.eventSlug) ?? alertPath(alert.id),
    market: alert,
    note: `settled: ${paid}`,
    content: `Settled: ${paid}. ${counted(matches.total, 'bet')}, ${matches.won} right. The newest: ${newest}.`,
    tags: [alert.category, 'outcome'],
  };
}

/** One line of text that XML can hold. */
export function brief(full: string, length: number): string {
  return cutText(oneLine(full).replace(/[\uFFFE\uFFFF]/g, ''), length);
}

const ABOUT = 'Bets on Polymarket that look informed, {free_delay} after they were published.';
const FEED_TITLE_LENGTH = 300;

const JSON_FEED = 'https://jsonfeed.org/version/1.1';

export const feedSchema = component('Feed', 'The newest alerts as JSON Feed 1.1.', FEED_EXAMPLE, {
  version: z.literal(JSON_FEED).describe('The format.'),
  title: text('Name of the feed, with its filter in words.'),
  home_page_url: text('The site of the service with the same filter; without a site, the page of the API.'),
  feed_url: text('Address of this feed.'),
  description: text('What the feed contains.'),
  language: text('Language of the texts.'),
  items: z.array(feedItemSchema).describe('The newest alerts, outcomes and exits, at most 50, newest first.'),
});

export interface FeedAddress {
  readonly publicUrl: string;
  /** From the root, with the query. */
  readonly path: string;
  /** The filter as the query of the site's list. */
  readonly listQuery: string;
  readonly freeDelayMs: number;
}

export interface FeedContent {
  readonly kinds: readonly PublishedEvent['kind'][];
  /** The filter in words; null: there is none. */
  readonly words: string | null;
  readonly events: readonly PublishedEvent[];
}

export function jsonFeed(content: FeedContent, address: FeedAddress): string {
  return JSON.stringify(feedOf(content, address));
}

export function atomFeed(content: FeedContent, address: FeedAddress): string {
  const { items, ...about } = feedOf(content, address);
  const changes = items.map(({ date_published, date_modified = date_published }) =>
    Date.parse(date_modified),
  );
  const feed = new Feed({
    id: about.feed_url,
    title: about.title,
    description: about.description,
    link: about.home_page_url,
    feedLinks: { atom: about.feed_url },
    language: about.language,
    copyright: '',
    generator: false,
    author: { name: 'Tipoff' },
    updated: new Date(Math.max(0, ...changes)),
  });
  for (const [
    index,
    { id, url, external_url, title, content_text, date_published, tags },
  ] of items.entries()) {
    const [date, published] = [new Date(changes[index] ?? 0), new Date(date_published)];
    const category = tags.map((term) => ({ name: term, term }));
    // The library writes titles and contents as HTML, unescaped.
    const content = `<p>${escapeHtml(content_text)}</p><p><a href="${escapeHtml(external_url)}">Market</a></p>`;
    feed.addItem({ id, link: url, title: escapeHtml(title), content, date, published, category });
  }
  return feed.atom1();
}

function feedOf(
  { kinds, words, events }: FeedContent,
  { publicUrl, path, listQuery, freeDelayMs }: FeedAddress,
): z.infer<typeof feedSchema> {
  const name = `Tipoff ${listed(kinds.map((kind) => `${kind}s`))}`;
  return {
    version: JSON_FEED,
    title: words === null ? name : `${name}: ${brief(words, FEED_TITLE_LENGTH)}`,
    home_page_url: `${publicUrl}/${listQuery}`,
    feed_url: publicUrl + path,
    description: withFreeDelay(ABOUT, freeDelayMs),
    language: 'en',
    items: events.map((event) => feedItem(event, publicUrl)),
  };
}
