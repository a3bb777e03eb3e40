import { Feed } from 'feed';
import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { describeTrade } from '../../core/alerts/describe-alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitWords } from '../../core/alerts/exits/exit-words.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { cutText, marketAddress, oneLine, utcMinute } from '../../core/base/text/formats.ts';
import { component, listOf, moment, text } from '../schemas/fields.ts';
import { iso } from './date-time.ts';
import { FEED_EXAMPLE } from './report-examples.ts';

const NAME = 'Tipoff alerts';
const ABOUT = 'Trades on a prediction market that look informed, five minutes after they were published.';
const TITLE_LENGTH = 200;
const TEXT_LENGTH = 600;

const JSON_FEED = 'https://jsonfeed.org/version/1.1';

export const feedSchema = component('Feed', 'The newest alerts as JSON Feed 1.1.', FEED_EXAMPLE, {
  version: z.literal(JSON_FEED).describe('The format.'),
  title: text('Name of the feed.'),
  home_page_url: text('The site of the service; without one the page of the API.'),
  feed_url: text('Address of this feed.'),
  description: text('What the feed contains.'),
  language: text('Language of the texts.'),
  items: z
    .array(
      component('FeedItem', 'One alert.', {
        id: text('Stable id of the item.', 'urn:tipoff:alert:4821'),
        url: text('The page of the alert; without a site the alert in the API.'),
        external_url: text('The page of the market.'),
        title: text('Market question and signal score.'),
        content_text: text('The trade in words, and what became of the position.'),
        date_published: moment('When the alert was published.'),
        date_modified: moment('When its position was sold on the market; absent otherwise.').optional(),
        tags: listOf(z.string(), 'Category and kind of alert.'),
      }),
    )
    .describe('The newest alerts, at most 50, newest first.'),
});
type FeedItem = z.infer<typeof feedSchema>['items'][number];

export interface FeedAddress {
  readonly publicUrl: string;
  readonly path: string;
  readonly hasSite: boolean;
}

/** By the ids of alerts: what became of their positions. */
type Exits = ReadonlyMap<number, Exit>;

interface FeedContent {
  readonly alerts: readonly Alert[];
  readonly exits: Exits;
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

function feedOf({ alerts, exits }: FeedContent, address: FeedAddress): z.infer<typeof feedSchema> {
  const { publicUrl, path, hasSite } = address;
  return {
    version: JSON_FEED,
    title: NAME,
    home_page_url: `${publicUrl}${hasSite ? '/' : '/docs'}`,
    feed_url: publicUrl + path,
    description: ABOUT,
    language: 'en',
    items: alerts.map((alert) => itemOf(alert, exits.get(alert.id), address)),
  };
}

function itemOf(alert: Alert, exit: Exit | undefined, { publicUrl, hasSite }: FeedAddress): FeedItem {
  const { id, type, score, category, createdAt } = alert;
  const subject = type === 'cluster' ? '' : 'A new wallet: ';
  const trade = brief(describeTrade(alert), TEXT_LENGTH);
  return {
    id: `urn:tipoff:alert:${id}`,
    url: publicUrl + (hasSite ? alertPath(id) : `/api/v1/alerts/${id}`),
    external_url: marketAddress(alert.eventSlug.toWellFormed()),
    title: `${brief(oneLine(alert.eventTitle), TITLE_LENGTH)} (signal ${score})`,
    content_text: `${subject}${trade}. Signal ${score} of 100. Traded ${utcMinute(alert.tradedAt)}.${exit ? ` ${exitWords(exit)}.` : ''}`,
    date_published: iso(createdAt),
    ...(exit && { date_modified: iso(exit.createdAt) }),
    tags: [category, type],
  };
}

function brief(full: string, length: number): string {
  return cutText(full.replace(/[\uFFFE\uFFFF]/g, ''), length);
}
