import { Feed } from 'feed';
import { z } from 'zod';
import type { PublishedEvent } from '../../core/alerts/newest-events.ts';
import { escapeHtml } from '../../core/base/text/escape.ts';
import { listed } from '../../core/base/text/formats.ts';
import { component, text } from '../schemas/fields.ts';
import { brief, type FeedPlace, feedItem, feedItemSchema } from './feed-items.ts';
import { FEED_EXAMPLE } from './report-examples.ts';

const ABOUT = 'Trades on a prediction market that look informed, five minutes after they were published.';
const TITLE_LENGTH = 300;

const JSON_FEED = 'https://jsonfeed.org/version/1.1';

export const feedSchema = component('Feed', 'The newest alerts as JSON Feed 1.1.', FEED_EXAMPLE, {
  version: z.literal(JSON_FEED).describe('The format.'),
  title: text('Name of the feed, with its filter in words.'),
  home_page_url: text('The site of the service with the same filter; without one the page of the API.'),
  feed_url: text('Address of this feed.'),
  description: text('What the feed contains.'),
  language: text('Language of the texts.'),
  items: z.array(feedItemSchema).describe('The newest alerts, outcomes and exits, at most 50, newest first.'),
});

export interface FeedAddress extends FeedPlace {
  /** From the root, with the query. */
  readonly path: string;
  /** The filter as the query of the site's list. */
  readonly listQuery: string;
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
  { path, listQuery, ...place }: FeedAddress,
): z.infer<typeof feedSchema> {
  const { publicUrl, hasSite } = place;
  const name = `Tipoff ${listed(kinds.map((kind) => `${kind}s`))}`;
  return {
    version: JSON_FEED,
    title: words === null ? name : `${name}: ${brief(words, TITLE_LENGTH)}`,
    home_page_url: `${publicUrl}${hasSite ? `/${listQuery}` : '/docs'}`,
    feed_url: publicUrl + path,
    description: ABOUT,
    language: 'en',
    items: events.map((event) => feedItem(event, place)),
  };
}
