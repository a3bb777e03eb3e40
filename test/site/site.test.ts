import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { DatabaseTimeout } from '../../src/core/base/database-errors.ts';
import { ASSETS } from '../../src/site/assets.ts';
import { ask } from '../support/api-server.ts';
import { BROWSER, type SiteServer, startSite } from '../support/site.ts';

describe('a page', () => {
  test('has a tag, also for HEAD, and is sent again only when it has changed', async () => {
    const { page, baseUrl } = await startSite();
    const first = await page('/');
    expect([first.status, first.headers.get('content-type'), first.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'public, no-cache',
    ]);
    const again = await page('/', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await ask(`${baseUrl}/`, { method: 'HEAD', headers: BROWSER });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', first.headers.get('etag')]);
  });

  test('loads files of the service only, and runs no line of its own', async () => {
    const { page } = await startSite();
    const { headers, text } = await page('/');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(text).not.toMatch(
      /\sstyle=|<style|\son\w+=|<script(?! src="\/assets\/| type="application\/ld\+json")/,
    );
  });

  test('has one address: another form of its path leads to it', async () => {
    const { baseUrl } = await startSite();
    const [wallet, market] = [`/wallets/0x${'ab'.repeat(20)}`, '/markets/ja%20oder%20nein%3F%2F%C3%A9'];
    for (const [path, address] of [
      ['/alerts/007', '/alerts/7'],
      ['/alerts/0007/', '/alerts/7'],
      ['/markets/Ja%20oder%20Nein%3f%2F%C3%89', market],
      [`${market}/`, market],
      [`${market.toLowerCase()}?before_id=9`, `${market}?before_id=9`],
      [`/wallets/0x${'AB'.repeat(20)}?before_id=4`, `${wallet}?before_id=4`],
    ]) {
      const { status, headers } = await ask(`${baseUrl}${path}`, { headers: BROWSER, redirect: 'manual' });
      expect([path, status, headers.get('location')]).toEqual([path, 301, address]);
    }
  });

  test('has four sections and the search in its header; its footer has what those need who check the service', async () => {
    const { page } = await startSite();
    const { text } = await page('/record');
    const linksIn = (part: string) =>
      [
        ...(new RegExp(`<${part} class="site">[\\s\\S]*?</${part}>`).exec(text)?.[0] ?? '').matchAll(
          / href="([^"]*)"/g,
        ),
      ].map(([, href]) => href);
    expect(linksIn('header')).toEqual(['/', '/', '/markets', '/record', '/docs']);
    expect(linksIn('footer')).toEqual(['/status', '/log', '/about', '/feed.xml']);
    expect(text).toContain('<a href="/record" aria-current="page">Record</a>');
    expect(text).toMatch(
      /<header[\s\S]*<form class="search" action="\/search" method="get" role="search">[\s\S]*<\/header>/,
    );
  });
});

describe('pages of a replay', () => {
  const TAPE = { MARKET_SOURCE: 'replay:data/tapes/midterms-2022.jsonl.gz' };

  test.each([
    [
      { REPLAY_SHIFT: '2022-11-08T17:00:00Z', REPLAY_SPEED: '1200' },
      'Replay of 2022, 1,200 times faster. Not live.',
    ],
    [{ REPLAY_SHIFT: 'now' }, 'Replay of 2022. Not live.'],
    [{}, 'Replay of 2022. Not live.'],
  ])('say so, from what year and at what pace: %j', async (settings, sentence) => {
    const { page } = await startSite({}, { ...TAPE, ...settings });
    for (const path of ['/', '/record', '/about', '/docs'])
      expect((await page(path)).text).toContain(`<p class="notice small">${sentence}</p>`);
  });

  test('say so without the tape, of which a process of the API alone knows no year', async () => {
    const { page } = await startSite({}, { MARKET_SOURCE: 'replay:elsewhere.jsonl' });
    expect((await page('/')).text).toContain('Replay of past trades. Not live.');
  });

  test('of another source say nothing of the kind', async () => {
    const { page } = await startSite();
    expect((await page('/')).text).not.toMatch(/notice|replay/i);
  });
});

describe('the files of pages', () => {
  test('are kept by browsers: their address changes with their text', async () => {
    const { page } = await startSite();
    const { text } = await page('/');
    for (const { address, contentType, text: bytes } of Object.values(ASSETS)) {
      const answer = await page(address);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect([answer.headers.get('content-type'), answer.text]).toEqual([contentType, bytes]);
      expect(address).toMatch(/\?v=[\w-]{12}$/);
    }
    for (const name of ['site.css', 'icon.svg', 'site.js'] as const)
      expect(text).toContain(`"${ASSETS[name].address}"`);
  });

  test('take colours and sizes of text from the tokens', () => {
    const folder = new URL('../../src/site/assets/', import.meta.url);
    const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
    const names = readdirSync(folder).filter((name) => name.endsWith('.css') && name !== 'tokens.css');
    const sheets = names.map(read).join('\n');
    expect(sheets.match(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/gi)).toBeNull();
    const used = new Set([...sheets.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
    const declared = new Set([...read('tokens.css').matchAll(/--([\w-]+):/g)].map(([, name]) => name));
    expect([...used].filter((name) => !declared.has(name))).toEqual([]);
  });
});

describe('what is not found', () => {
  test('is a page for people, and JSON for programs and for the API', async () => {
    const { page, baseUrl } = await startSite();
    const forPeople = await page('/nothing');
    expect([forPeople.status, forPeople.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    for (const part of ['<h1>Page not found</h1>', '<header class="site">', 'role="search"', '<footer'])
      expect(forPeople.text).toContain(part);
    expect(forPeople.text).toContain('<link rel="icon"');
    expect((await page('/alerts/999')).text).toBe(forPeople.text);
    expect(forPeople.text).toContain('<meta name="robots" content="noindex" />');
    for (const answer of [await ask(`${baseUrl}/nothing`), await page('/api/v1/nothing')])
      expect([answer.status, answer.body?.code]).toEqual([404, 'path_not_found']);
  });
});

describe('a page that cannot be shown', () => {
  /** From now on the archive does not answer. */
  const cutOff = ({ database }: SiteServer) =>
    vi.spyOn(database.alerts, 'search').mockRejectedValue(new DatabaseTimeout('search'));
  const statuses: [string, Parameters<typeof startSite>[0], number][] = [
    ['during an outage of the database', { isOutage: () => true }, 503],
    ['after a fault of the service', {}, 500],
  ];
  test.each(statuses)('%s is a page for people and JSON for programs', async (_title, change, status) => {
    const server = await startSite(change);
    cutOff(server);
    const failed = await server.page('/');
    expect([failed.status, failed.headers.get('content-type'), failed.headers.get('cache-control')]).toEqual([
      status,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(failed.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(failed.text).toContain(`request <code>${failed.headers.get('x-request-id')}</code>`);
    const forPrograms = await ask(`${server.baseUrl}/`);
    expect([forPrograms.status, typeof forPrograms.body.code]).toEqual([status, 'string']);
  });

  test('because of too many requests is a page with the time to wait, and takes no call of the API', async () => {
    const { page, baseUrl } = await startSite({ publicRequestsPerMinute: 1 });
    for (let count = 0; count < 5; count += 1) expect((await page('/')).status).toBe(200);
    const refused = await page('/');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.text).toContain('<h1>Too many requests</h1>');
    expect((await ask(`${baseUrl}/`)).body.code).toBe('rate_limited');
    const statuses = [];
    for (const path of ['/feed.json', '/feed.json']) statuses.push((await ask(baseUrl + path)).status);
    expect(statuses).toEqual([200, 429]);
  });
});
