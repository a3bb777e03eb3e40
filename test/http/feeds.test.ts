import { parseFeed } from '@rowanmanning/feed-parser';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { describe, expect, test, vi } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';

async function startWith(...alerts: readonly Alert[]) {
  const api = await startApi();
  await api.append(...alerts);
  const feed = (path: string, headers = {}) => ask(api.baseUrl + path, { headers });
  const json = async (query = '') => parseJsonFeed((await feed(`/feed.json${query}`)).text);
  const atom = async (query = '') => parseAtomFeed((await feed(`/feed.xml${query}`)).text);
  /** As a second library reads the same Atom feed. */
  const other = async (query = '') => parseFeed((await feed(`/feed.xml${query}`)).text);
  return { ...api, feed, json, atom, other };
}

const plain = (html: string | undefined) =>
  html?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('the feeds', () => {
  test('give the same items in words, which two parsers of others read', async () => {
    const { clock, json, atom, other, feed } = await startWith(
      alertOf({ id: 1 }),
      alertOf({
        id: 2,
        type: 'cluster',
        details: { ...alertOf({ id: 2 }).details, wallets: ['0xa', '0xb'] },
      }),
    );
    await clock.jump(FREE_DELAY_MS + 2_000);
    const read = await json();
    expect(read).toMatchObject({
      title: 'Tipoff alerts',
      home_page_url: 'https://api.example.com/',
      feed_url: 'https://api.example.com/feed.json',
    });
    expect(read.items?.[1]).toEqual({
      id: 'urn:tipoff:alert:1',
      url: 'https://api.example.com/alerts/1',
      external_url: 'https://polymarket.com/event/will-the-measure-pass',
      title: 'Will the measure pass? (score 72)',
      content_text:
        'New wallet: $2,000 on Yes at 40¢ to win $3,000. Score 72 of 100, strong. Traded 2026-01-02 00:00 UTC.',
      date_published: '2026-01-02T00:00:01.000Z',
      tags: ['politics', 'fresh'],
    });
    expect(read.items?.[0]?.content_text).toMatch(/^Cluster of new wallets: 2 wallets, \$2,000 on Yes/);
    const entries = (await atom()).entries ?? [];
    expect(entries.map(({ id, title, published }) => [id, title?.value, published])).toEqual(
      read.items?.map(({ id, title, date_published }) => [id, title, date_published]),
    );
    expect(entries.map(({ links }) => links?.[0]?.href)).toEqual(read.items?.map(({ url }) => url));
    const { meta, title, self, items } = await other();
    expect([meta, title, self]).toEqual([
      { type: 'atom', version: '1.0' },
      'Tipoff alerts',
      'https://api.example.com/feed.xml',
    ]);
    expect(items.map((item) => [item.id, item.url, item.title, item.published?.toISOString()])).toEqual(
      read.items?.map((item) => [item.id, item.url, item.title, item.date_published]),
    );
    for (const [path, type] of [
      ['/feed.json', 'application/feed+json; charset=utf-8'],
      ['/feed.xml', 'application/atom+xml; charset=utf-8'],
    ] as const) {
      const { headers } = await feed(path);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      const again = await feed(path, { 'if-none-match': headers.get('etag') ?? '' });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });

  test('are made once a minute for all readers, each address of a feed on its own', async () => {
    const { clock, feed, database } = await startWith(alertOf({ id: 1, createdAt: START }));
    const searches = vi.spyOn(database.alerts, 'search');
    const paths = ['/feed.json', '/feed.xml', '/feed.xml?min_signal=50', '/feed.xml?unknown=1'];
    const readAll = async () => {
      for (const path of paths) expect((await feed(path)).status).toBe(200);
      return searches.mock.calls.length;
    };
    expect([await readAll(), await readAll()]).toEqual([3, 3]);
    await clock.jump(FREE_DELAY_MS);
    expect(await readAll()).toBe(6);
    expect((await feed('/feed.json')).text).toContain('urn:tipoff:alert:1');
  });

  test('text of a market stays text, whatever it holds', async () => {
    const hostile = `<script>alert("1")</script> ]]> ]]> &amp; \u0000\u001b[31m\u202e\uffff ${'x'.repeat(100_000)}`;
    const { clock, json, atom, other } = await startWith(
      alertOf({ id: 1, eventTitle: hostile, outcome: hostile, eventSlug: '"><img src=x>' }),
      alertOf({ id: 2, eventTitle: 'A & B < C', outcome: '</p><b>Yes</b>' }),
    );
    await clock.jump(FREE_DELAY_MS + 2_000);
    const [second, first] = (await json()).items ?? [];
    expect(first?.title).toMatch(/^<script>alert\("1"\)<\/script> \]\]> \]\]> &amp; \[31m/);
    expect(first?.title?.length).toBeLessThan(220);
    expect(first?.content_text?.length).toBeLessThan(700);
    expect(`${first?.title}${first?.content_text}`).not.toMatch(/[\p{Cc}\p{Cs}\u202e\uffff]/u);
    // That library gives the text of titles.
    expect((await other()).items.map(({ title }) => title)).toEqual([second?.title, first?.title]);
    const entries = (await atom()).entries ?? [];
    // HTML by its type: escaped, it is the text again.
    for (const [index, item] of [second, first].entries()) {
      const [title, content] = [entries[index]?.title?.value, entries[index]?.content?.value];
      expect(title).not.toContain('<');
      expect(plain(title)).toBe(item?.title);
      const tags = content?.match(/<[^>]*>/g);
      expect(tags).toEqual(['<p>', '</p>', '<p>', `<a href="${item?.external_url}">`, '</a>', '</p>']);
      expect(plain(content)).toContain(item?.content_text);
    }
  });

  test('have the newest 50', async () => {
    const alerts = Array.from({ length: 60 }, (_, index) =>
      alertOf({ id: index + 1, score: index + 1, category: index % 2 === 0 ? 'crypto' : 'tech' }),
    );
    const { clock, json, atom, feed } = await startWith(...alerts);
    await clock.jump(FREE_DELAY_MS + 60_000);
    const ids = async (query: string) =>
      (await json(query)).items?.map(({ id }) => Number(id?.split(':')[3]));
    expect((await ids(''))?.length).toBe(50);
    expect((await atom()).entries?.length).toBe(50);
    expect((await feed('/feed.xml?x=1')).headers.get('x-unknown-parameters')).toBe('x');
  });
});
