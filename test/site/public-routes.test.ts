import { expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';
import { startSite } from '../support/site.ts';

test('the site adds routes outside the API: none is in its document, needs a key or looks at one', async () => {
  const { app: bare } = await startApi();
  const known = new Set(bare.routeTable.map(({ url }) => url));
  const { app, baseUrl, clock } = await startSite();
  const added = [...new Set(app.routeTable.map(({ url }) => url).filter((url) => !known.has(url)))];
  expect(added).toEqual(expect.arrayContaining(['/', '/robots.txt']));
  expect(added.filter((url) => url.startsWith('/api') || url.startsWith('/ws'))).toEqual([]);
  const { paths } = (await ask(`${baseUrl}/api/v1/openapi.json`)).body;
  expect(Object.keys(paths).filter((path) => added.includes(path))).toEqual([]);
  for (const url of added) {
    await clock.advance(61_000);
    const path = baseUrl + url.replaceAll(/:\w+/g, '1');
    const [without, withKey] = [
      await ask(path),
      await ask(path, { headers: { authorization: 'Bearer sk_live_wrong' } }),
    ];
    expect([url, without.status < 400 || without.status === 404]).toEqual([url, true]);
    expect([url, withKey.status, withKey.text.length]).toEqual([url, without.status, without.text.length]);
    const isData = url.endsWith('.json');
    expect([url, without.headers.get('access-control-allow-origin')]).toEqual([url, isData ? '*' : null]);
  }
});
