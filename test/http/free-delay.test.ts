import { expect, test } from 'vitest';
import { alertOf, candidateOf, exitOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS } from '../support/api-server.ts';
import { ledgerOver } from '../support/ledger.ts';
import { startSite } from '../support/site.ts';
import { storeExits } from '../support/stored.ts';

const WALLET = `0x${'5ec2e7'.padEnd(40, '0')}`;
const MARKET = '0xsecretmarket';
const MARKS = /Secret question|secret-slug|0xsecretmarket|0x5ec2e7|42\.4¢|0\.4242/i;

/** Real time has these; the others show alerts to no caller, or only delayed ones. */
const SHOWING = [
  '/api/v1/alerts',
  '/api/v1/alerts/:id',
  '/api/v1/alerts/latest',
  '/api/v1/alerts/preview',
  '/api/v1/events',
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
  await storeExits(api.database, exitOf({ number: 1, createdAt, salePrice: 0.4242 }));
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

/** Real time has these of the correction of a result; the others show no result, or only delayed ones. */
const SHOWING_CORRECTIONS = [
  '/api/v1/alerts/1',
  '/api/v1/alerts/latest',
  '/api/v1/alerts/preview',
  '/api/v1/alerts?expand=details',
  '/api/v1/events',
  '/api/v1/markets/0xm1',
  '/api/v1/outcomes',
  '/api/v1/stats',
  `/api/v1/wallets/${alertOf({ id: 1 }).wallet}`,
];
/** A correction is an outcome of its own, and leaves the alert among the resolved ones. */
const SHOWING_RESULTS = [...SHOWING_CORRECTIONS, '/api/v1/alerts?resolved=true', '/api/v1/outcomes/1'];

/** An alert that everyone sees, in a market that may be settled; and what all routes answer. */
async function startWithOldAlert() {
  const api = await startSite({ publicRequestsPerMinute: null });
  const { database, feed, clock } = api;
  const ledger = ledgerOver(database, { onSettled: (settlement) => feed.announceSettlement(settlement) });
  await ledger.open(1);
  const detectedAt = clock.now();
  const moment = { tradedAt: detectedAt, detectedAt, isHistory: false };
  await ledger.append([{ candidate: candidateOf({ key: 'w:0xaa:1001:0' }), ...moment }]);
  await clock.jump(2 * FREE_DELAY_MS);
  const { marketId, eventSlug, wallet } = alertOf({ id: 1 });
  const values: Readonly<Record<string, string>> = { market_id: marketId, slug: eventSlug, address: wallet };
  const routes = api.app.routeTable.filter(
    ({ method, audience, url }) =>
      method === 'GET' && /delayed|caller/.test(audience) && !url.endsWith('/me'),
  );
  const paths = routes.map(({ url }) =>
    url.replaceAll(/:(\w+?)(?=[/.]|$)/g, (_all, name) => values[name] ?? '1'),
  );
  const asked = [...paths, '/api/v1/alerts?resolved=true', '/api/v1/alerts?expand=details'];
  const answers = async (secret?: string) => {
    const texts = new Map<string, string>();
    const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    for (const path of asked) texts.set(path, (await ask(api.baseUrl + path, { headers })).text);
    return texts;
  };
  const settle = (payouts: readonly number[]) =>
    ledger.resolve({ id: marketId, outcomes: ['Yes', 'No'], payouts }, clock.now());
  return { ...api, answers, settle };
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  return [...after].filter(([path, text]) => text !== before.get(path)).map(([path]) => path);
}

test.each([
  ['result', [], SHOWING_RESULTS],
  ['correction of a result', [[1, 0]], SHOWING_CORRECTIONS],
] as const)(
  'no route shows the young %s of an old alert to a caller without real time; in real time the same walk finds it, and at the free delay everyone',
  async (_what, earlier, showing) => {
    const { answers, settle, issue, clock } = await startWithOldAlert();
    const [{ secret: free }, { secret: live }] = [
      await issue({ tier: 'free' }),
      await issue({ tier: 'enterprise' }),
    ];
    for (const payouts of earlier) {
      await settle(payouts);
      await clock.jump(2 * FREE_DELAY_MS);
    }
    const before = [await answers(), await answers(free), await answers(live)] as const;

    await settle([0, 1]);

    expect(changed(before[0], await answers())).toEqual([]);
    expect(changed(before[1], await answers(free))).toEqual([]);
    const seen = changed(before[2], await answers(live));
    expect(seen.toSorted()).toEqual(showing.toSorted());
    await clock.jump(2 * FREE_DELAY_MS);
    for (const path of seen) expect((await answers(free)).get(path)).not.toBe(before[1].get(path));
  },
);

test('a route whose scope declares no audience fails to register', async () => {
  const { createBaseServer } = await import('../../src/http/server.ts');
  const { app } = await startSite();
  expect(app.routeTable.every(({ audience }) => audience !== undefined)).toBe(true);
  const server = createBaseServer({
    ...{ clock: { now: () => 0 }, logger: { debug() {} } },
  } as never);
  expect(() => server.get('/undeclared', () => '')).toThrow('/undeclared: its scope declares no audience');
});
