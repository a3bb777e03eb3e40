import { describe, expect, test } from 'vitest';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { wordsOf } from './observed-site.ts';

const ORIGIN = 'https://api.example.com';

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

test('/about has at most 400 words, names Polymarket, and says what cannot be known', async () => {
  const { page } = await startSite();
  const [, main = ''] = /<main id="main">([\s\S]*)<\/main>/.exec((await page('/about')).text) ?? [];
  const words = wordsOf(main);
  expect(words.split(' ').length).toBeLessThanOrEqual(400);
  expect(words).toMatch(/^About Tipoff watches Polymarket .* What cannot be known Who owns a wallet/);
});

test('/log has the newest entry that is public, and a command that verifies it', async () => {
  const { page, database, baseUrl } = await startSite();
  await appendDrafts(database.log, settlementsAt(START - FREE_DELAY_MS, START));
  const { seq, hash } = (await ask(`${baseUrl}/api/v1/events?limit=0`)).body.head;
  expect(seq).toBe(1);
  const { text } = await page('/log');
  expect(text).toContain(`<code class="copy">${seq}:${hash}</code>`);
  expect(text).toContain(`node bin/tipoff.js verify ${ORIGIN} --head head.txt`);
});

test('/log says so while it has no entry', async () => {
  const { page } = await startSite();
  expect((await page('/log')).text).toContain('The log has no entry yet.');
});

describe('what crawlers and browsers ask for', () => {
  test('robots.txt keeps them from no page, and a browser finds an icon where it looks for one', async () => {
    const { page } = await startSite();
    const robots = await page('/robots.txt');
    expect([robots.headers.get('content-type'), robots.text]).toEqual([
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /api/\n',
    ]);
    for (const [path, type] of [
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
    ] as const) {
      const { status, headers } = await page(path);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
    }
  });
});
