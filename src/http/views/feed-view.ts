import { Feed } from 'feed';
import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { describeTrade } from '../../core/alerts/describe-alert.ts';
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
        content_text: text('The trade in words.'),
        date_published: moment('When the alert was published.'),
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

export function jsonFeed(alerts: readonly Alert[], address: FeedAddress): string {
  return JSON.stringify(feedOf(alerts, address));
}

export function atomFeed(alerts: readonly Alert[], address: FeedAddress): string {
  const { items, ...about } = feedOf(alerts, address);
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
    updated: new Date(alerts[0]?.createdAt ?? 0),
  });
  for (const { id, url, external_url, title, content_text, date_published, tags } of items) {
    const date = new Date(date_published);
    const category = tags.map((term) => ({ name: term, term }));
    // The library writes titles and contents as HTML, unescaped.
    const content = `<p>${escapeHtml(content_text)}</p><p><a href="${escapeHtml(external_url)}">Market</a></p>`;
    feed.addItem({ id, link: url, title: escapeHtml(title), content, date, published: date, category });
  }
  return feed.atom1();
}

function feedOf(alerts: readonly Alert[], address: FeedAddress): z.infer<typeof feedSchema> {
  const { publicUrl, path, hasSite } = address;
  return {
    version: JSON_FEED,
    title: NAME,
    home_page_url: `${publicUrl}${hasSite ? '/' : '/docs'}`,
    feed_url: publicUrl + path,
    description: ABOUT,
    language: 'en',
    items: alerts.map((alert) => itemOf(alert, address)),
  };
}

function itemOf(alert: Alert, { publicUrl, hasSite }: FeedAddress): FeedItem {
  const { id, type, score, category, createdAt } = alert;
  const subject = type === 'cluster' ? '' : 'A new wallet: ';
  const trade = brief(describeTrade(alert), TEXT_LENGTH);
  return {
    id: `urn:tipoff:alert:${id}`,
    url: publicUrl + (hasSite ? alertPath(id) : `/api/v1/alerts/${id}`),
    external_url: marketAddress(alert.eventSlug.toWellFormed()),
    title: `${brief(oneLine(alert.eventTitle), TITLE_LENGTH)} (signal ${score})`,
    content_text: `${subject}${trade}. Signal ${score} of 100. Traded ${utcMinute(alert.tradedAt)}.`,
    date_published: iso(createdAt),
    tags: [category, type],
  };
}

function brief(full: string, length: number): string {
  return cutText(full.replace(/[\uFFFE\uFFFF]/g, ''), length);
}
