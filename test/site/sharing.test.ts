import { describe, expect, test } from 'vitest';
import { Cards } from '../../src/site/cards.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { unescaped } from '../support/site/walk-site.ts';
import { startSite } from '../support/site.ts';

const ORIGIN = 'https://api.example.com';
const TITLE = 'Will </script><script>alert(1)</script> & co pass?';
const MARKET = '/markets/will-it-pass';
const ALERT = alertOf({ id: 1, eventTitle: TITLE, eventSlug: 'will-it-pass' });
const WALLET = `/wallets/${ALERT.wallet}`;

async function startShared() {
  const server = await startSite();
  const painter = { draw: async () => new TextEncoder().encode('png') };
  Object.assign(server.site.deps, { cards: new Cards(painter, server.clock) });
  await server.append(ALERT);
  await server.clock.jump(ALERT.createdAt - server.clock.now() + FREE_DELAY_MS);
  const read = async (path: string) => {
    const { text } = await server.page(path);
    const tags = [...text.matchAll(/<meta property="([^"]+)" content="([^"]*)"/g)];
    return Object.fromEntries(tags.map(([, name, value = '']) => [name, unescaped(value)]));
  };
  return { ...server, read, picture: (path = '') => ask(server.baseUrl + path) };
}

describe('a preview of a link', () => {
  test('has on an alert its picture and on all other pages the general one, with size and text', async () => {
    const { read, picture } = await startShared();
    const paths: Record<string, string | undefined> = {};
    for (const path of [
      '/',
      '/record',
      '/status',
      '/log',
      '/markets',
      '/about',
      '/docs',
      '/docs/alerts',
      '/docs/errors',
      WALLET,
      MARKET,
      '/alerts/1',
    ]) {
      const meta = await read(path);
      expect(meta['og:image:alt']?.length, path).toBeGreaterThan(20);
      paths[path] = meta['og:image']?.replace(ORIGIN, '');
      const { status, headers } = await picture(paths[path]);
      expect([
        path,
        status,
        headers.get('content-type'),
        headers.get('cross-origin-resource-policy'),
      ]).toEqual([...[path, 200, 'image/png', 'cross-origin']]);
    }
    const { '/alerts/1': ofAlert, ...others } = paths;
    expect(ofAlert).toBe('/alerts/1.png?v=3-open');
    expect(new Set(Object.values(others))).toEqual(new Set(['/card.png']));
  });
});
