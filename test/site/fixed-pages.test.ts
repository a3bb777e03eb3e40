import { describe, expect, test } from 'vitest';
import { REFERENCE_PATHS } from '../../src/http/documents/reference.ts';
import { startSite } from '../support/site.ts';

const ORIGIN = 'https://api.example.com';
const FIXED = [
  '/',
  '/markets',
  '/record',
  '/docs',
  '/status',
  '/log',
  '/about',
  ...REFERENCE_PATHS.filter((path) => path !== '/docs'),
  '/docs/errors',
];

test.each([
  ['ann@example.com', 'Write to <a href="mailto:ann@example.com">ann@example.com</a>.'],
  ['', 'This service has no listed contact'],
])(
  '/about says what an alert is not, how late pages are, and who takes corrections: %s',
  async (CONTACT, words) => {
    const { page } = await startSite({}, { CONTACT });
    const text = (await page('/about')).text.replaceAll(/\s+/g, ' ');
    const not = ['proof', 'a forecast', 'investment advice'].map((what) => `It is not ${what}`);
    for (const part of [...not, 'see it 5 min later', words]) expect(text).toContain(part);
  },
);

describe('what crawlers and browsers ask for', () => {
  test('robots.txt keeps them from no page, and a browser finds an icon where it looks for one', async () => {
    const { page } = await startSite();
    const robots = await page('/robots.txt');
    expect([robots.headers.get('content-type'), robots.text]).toEqual([
      'text/plain; charset=utf-8',
      `User-agent: *\nDisallow: /api/\n\nSitemap: ${ORIGIN}/sitemap.xml\n`,
    ]);
    for (const [path, type] of [
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
    ] as const) {
      const { status, headers } = await page(path);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
    }
  });

  test('the sitemap has the newest 10,000 alerts, without a read', async () => {
    const { page, database } = await startSite({}, {}, { newestId: () => 12_345 });
    await database.close();
    const { text } = await page('/sitemap.xml');
    const paths = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url?.replace(ORIGIN, ''));
    expect(paths.slice(0, -10_000)).toEqual(FIXED);
    const listed = [12_345, 2_346, 2_345].map((id) => text.includes(`/alerts/${id}<`));
    expect(listed).toEqual([true, true, false]);
  });
});
