import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';

const ORIGIN = 'https://api.example.com';

describe('what crawlers ask for', () => {
  test('robots.txt keeps them from no page: one that is not for an index says so itself', async () => {
    const { page } = await startSite();
    const { headers, text } = await page('/robots.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toBe(`User-agent: *\nDisallow: /api/\nDisallow: /live\n\nSitemap: ${ORIGIN}/sitemap.xml\n`);
  });

  test('the sitemap has the newest alert 300 s after its publication and not before', async () => {
    const { page, append, clock, site } = await startSite();
    await append(alertOf({ id: 1, createdAt: START }));
    await clock.asleep();
    const paths = async () => {
      const { text } = await page('/sitemap.xml');
      return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address?.replace(ORIGIN, ''));
    };
    const fixed = ['/', '/record', '/status', '/developers', '/about', '/docs', '/docs/errors'];
    await clock.advance(FREE_DELAY_MS - 1_000);
    expect(await paths()).toEqual(fixed);
    await clock.advance(61_000);
    expect(site.deps.newestId()).toBe(1);
    expect(await paths()).toEqual([...fixed, '/alerts/1']);
  });

  test('the sitemap has the newest 10,000 alerts, without a read', async () => {
    const { page, database } = await startSite({}, {}, { newestId: () => 12_345 });
    await database.close();
    const { text } = await page('/sitemap.xml');
    expect(text.match(/<loc>/g)?.length).toBe(10_007);
    expect([
      text.includes('/alerts/12345<'),
      text.includes('/alerts/2346<'),
      text.includes('/alerts/2345<'),
    ]).toEqual([true, true, false]);
  });

  test('a browser finds an icon where it looks for one', async () => {
    const { page } = await startSite();
    const { status, headers } = await page('/favicon.ico');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});
