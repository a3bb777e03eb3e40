import { expect, test } from 'vitest';
import { alertOf, exitOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { startSite } from '../support/site.ts';

const WALLET = `0x${'5ec2e7'.padEnd(40, '0')}`;
const MARKET = '0xsecretmarket';
const MARKS = /Secret question|secret-slug|0xsecretmarket|0x5ec2e7|42\.4¢|0\.4242/i;

/** Real time has these; the others show alerts to no caller, or only delayed ones. */
const SHOWING = [
  '/api/v1/alerts',
  '/api/v1/alerts/:id',
  '/api/v1/alerts/latest',
  '/api/v1/alerts/preview',
  '/api/v1/exits',
  '/api/v1/exits/:number',
  '/api/v1/hot-markets',
  '/api/v1/markets/:market_id',
  '/api/v1/wallets/:address',
];

async function startWithYoungEvents() {
  const api = await startSite({ publicRequestsPerMinute: null });
  const createdAt = api.clock.now();
  const old = { createdAt: createdAt - FREE_DELAY_MS, tradedAt: createdAt - FREE_DELAY_MS };
  await api.append(
    alertOf({ id: 1, ...old }),
    alertOf({
      ...{ id: 2, createdAt, tradedAt: createdAt, detectedAt: createdAt, publishedAt: createdAt },
      ...{ marketId: MARKET, eventTitle: 'Secret question?', eventSlug: 'secret-slug', wallet: WALLET },
    }),
  );
  await api.database.exits.append(exitOf({ number: 1, createdAt, salePrice: 0.4242 }));
  const { marketId, eventSlug, wallet } = alertOf({ id: 1 });
  const subjects: readonly Readonly<Record<string, string>>[] = [
    { id: '2', market_id: MARKET, slug: 'secret-slug', address: WALLET },
    { id: '1', market_id: marketId, slug: eventSlug, address: wallet },
  ];
  // The stream stays open; the operator's own show no alerts.
  const routes = api.app.routeTable.filter(
    ({ method, audience }) => method === 'GET' && /delayed|caller/.test(audience),
  );
  const showing = async (secret?: string) => {
    const found = new Set<string>();
    for (const values of subjects)
      for (const { url } of routes) {
        const path = url.replaceAll(/:(\w+?)(?=[/.]|$)/g, (_all, name) => values[name] ?? '1');
        const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
        const { status, text } = await ask(api.baseUrl + path, { headers });
        expect([url, status]).not.toEqual([url, 429]);
        // A refusal repeats what was asked for.
        if (status === 200 && MARKS.test(text)) found.add(url);
      }
    return [...found].toSorted();
  };
  return { ...api, routes, showing };
}

test('no route shows a young alert, or the young exit of an old one, to a caller without real time; in real time the same walk finds it', async () => {
  const { showing, issue, routes } = await startWithYoungEvents();
  expect(routes.length).toBeGreaterThan(30);
  expect(await showing()).toEqual([]);
  expect(await showing((await issue({ tier: 'free' })).secret)).toEqual([]);
  expect(await showing((await issue({ tier: 'enterprise' })).secret)).toEqual(SHOWING);
});

test('a route whose scope declares no audience fails to register', async () => {
  const { createBaseServer } = await import('../../src/http/server.ts');
  const { app } = await startSite();
  expect(app.routeTable.every(({ audience }) => audience !== undefined)).toBe(true);
  const server = createBaseServer({
    ...{ clock: { now: () => 0 }, logger: { debug() {} } },
  } as never);
  expect(() => server.get('/undeclared', () => '')).toThrow('/undeclared: its scope declares no audience');
});
