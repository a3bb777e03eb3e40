import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../src/core/duration.ts';
import { openDatabase } from '../../../../src/infra/database.ts';
import {
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../../../../src/infra/polymarket/client/market-client.ts';
import { WalletFactsReader } from '../../../../src/infra/polymarket/wallets/wallet-facts-reader.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { V2_ID, V2_ID_OF_GAMMA } from '../../../support/polymarket/protocol-v2.ts';
import { type SmallMarket, startSmallMarket } from '../../../support/polymarket/small-market.ts';
import { thinClient } from '../../../support/polymarket/thin-client.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const WALLET = `0x${'Ab'.repeat(20)}`;
const LOWER = WALLET.toLowerCase();
const seconds = (at: number) => Math.floor(at / SECOND_MS);

type Answer = { readonly status?: number; readonly body: unknown };
type Route = (query: URLSearchParams) => Answer;

const unknownUser: Route = () => ({ body: { data: null } });
const unknownProfile: Route = () => ({ status: 404, body: { error: 'not found' } });
const noActivity: Route = () => ({ body: { data: [] } });
const refusing =
  (status: number): Route =>
  () => ({ status, body: { error: 'gone', code: 'not_found', retryable: false } });
const joined =
  (value: unknown): Route =>
  () => ({ body: { data: { join_date: value, trades: 3 } } });
const tradesOf =
  (rows: readonly unknown[]): Route =>
  () => ({
    body: { data: rows, pagination: { has_more: false, next_cursor: null } },
  });
const trade = (market: string, at: number) => ({ condition_id: market, timestamp: seconds(at) });
/** A market that heeds what it is asked, over these moments. */
const activityOf =
  (moments: readonly number[]): Route =>
  (query) => ({
    body: {
      data: moments
        .filter((at) => seconds(at) <= Number(query.get('end') ?? Number.POSITIVE_INFINITY))
        .toSorted((a, b) => a - b)
        .slice(0, Number(query.get('limit')))
        .map((at) => ({ proxy_wallet: LOWER, timestamp: seconds(at), type: 'TRADE' })),
    },
  });
/** A list that ends on no page. */
const endless: Route = () => ({
  body: { data: [trade('0xm1', NOW - 5_000)], pagination: { has_more: true, next_cursor: 'on' } },
});

let market: SmallMarket;
let database: Database;
let routes: Record<string, Route>;
let asked: MarketRequest[];
let outcomes: string[];
let logger: ReturnType<typeof createRecordingLogger>;
let now: number;
/** The newest trade on the list of all trades. */
let listedUntil: number | null;
/** Of every answer. */
let asOf: number;

beforeEach(async () => {
  asked = [];
  outcomes = [];
  now = NOW;
  listedUntil = asOf = NOW;
  logger = createRecordingLogger();
  routes = {
    '/v2/user-stats': unknownUser,
    '/public-profile': unknownProfile,
    '/v2/activity': noActivity,
    '/v2/trades': tradesOf([]),
  };
  database = await openDatabase('sqlite::memory:');
  market = await startSmallMarket(({ path, query }, response) => {
    const { status = 200, body } = routes[path]?.(query) ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});

afterEach(async () => {
  await database.close();
  await market.close();
});

const client: Pick<MarketClient, 'get'> = {
  async get(request, signal) {
    asked.push(request);
    const answer = await thinClient(market.url).get(request, signal);
    return { ...answer, asOf };
  },
};

function createFacts() {
  const metrics = { ...noMetrics, factsAsked: (outcome: string) => void outcomes.push(outcome) };
  const clock = { now: () => now };
  return new WalletFactsReader({
    ...{ client, ages: database.walletAges, clock, logger, metrics, maxAgeDays: 14 },
    listedUntil: () => listedUntil,
  });
}

function ask(before = NOW, facts = createFacts(), wallet = WALLET) {
  return facts.ask(wallet, before, new AbortController().signal);
}

async function factsOf(before = NOW) {
  const answer = await ask(before);
  return answer.kind === 'settled' && answer.row.row.kind === 'wallet' ? answer.row.row.facts : answer;
}
const paths = () => asked.map(({ path }) => path);

describe('the age of a wallet', () => {
  test('is the join date of its statistics, asked for in lower case, on the budget for facts', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - 2 * DAY_MS));

    const answer = await ask();

    const createdAt = new Date(NOW - 2 * DAY_MS).toISOString();
    expect(answer).toMatchObject({
      kind: 'settled',
      row: { line: JSON.stringify({ proxyWallet: LOWER, createdAt, traded: 0 }) },
    });
    expect(paths()).toEqual(['/v2/user-stats', '/v2/trades']);
    for (const request of asked) expect(request).toMatchObject({ purpose: 'facts', query: { user: LOWER } });
    expect(outcomes).toEqual(['join_date']);
  });

  test.each([
    ['null', null],
    ['missing', undefined],
    ['0', 0],
    ['no number', 'NaN'],
    ['a day after the trade', seconds(NOW + 2 * DAY_MS)],
    ['before the market was there', seconds(Date.UTC(1999, 0))],
  ])('is that of the profile when the join date is %s', async (_name, joinDate) => {
    routes['/v2/user-stats'] = joined(joinDate);
    routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00.000Z' } });

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 3 * DAY_MS });
    expect(outcomes).toEqual(['profile']);
  });

  test('may be written in milliseconds, and is never after the trade that was seen', async () => {
    routes['/v2/user-stats'] = joined(NOW - DAY_MS);
    expect(await factsOf()).toMatchObject({ createdAt: NOW - DAY_MS });
    await database.close();
    database = await openDatabase('sqlite::memory:');
    routes['/v2/user-stats'] = joined(seconds(NOW + 60_000));
    expect(await factsOf()).toMatchObject({ createdAt: NOW });
  });

  test('is at least that of its oldest trade', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5 * DAY_MS)]);

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 5 * DAY_MS, marketsTraded: 1 });
  });

  test('is kept permanently, and of an old wallet nothing is requested again', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - 400 * DAY_MS));

    const facts = [await factsOf(), await factsOf()];

    expect(facts[1]).toEqual(facts[0]);
    expect(facts[0]).toMatchObject({ createdAt: NOW - 400 * DAY_MS, marketsTraded: null });
    expect(paths()).toEqual(['/v2/user-stats']);
  });

  test('a stored one that a late trade proves wrong is read again', async () => {
    await database.walletAges.put({ wallet: LOWER, createdAt: NOW, source: 'join_date' });
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW), trade('0xm1', NOW - 9 * DAY_MS)]);

    expect(await factsOf(NOW - 5 * DAY_MS)).toMatchObject({ createdAt: NOW - 9 * DAY_MS });
  });
});

describe('the first trade as an age', () => {
  test('is the oldest of its own list when one page holds all, by the request that counts its markets', async () => {
    routes['/v2/trades'] = tradesOf([trade('0xm2', NOW), trade('0xm1', NOW - 4 * DAY_MS)]);

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS, marketsTraded: 1 });
    expect(paths()).toEqual(['/v2/user-stats', '/public-profile', '/v2/trades']);
    expect(outcomes).toEqual(['trades']);
    expect(await database.walletAges.get(LOWER)).toMatchObject({ source: 'trades' });
  });

  test('is the trade itself when the list shows it and nothing before it', async () => {
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW + SECOND_MS)]);
    expect(await factsOf()).toMatchObject({ createdAt: NOW, marketsTraded: 0 });
  });

  test('is not known while the list does not show the wallet: an empty list makes no wallet fresh', async () => {
    const stray = { ...trade('0xm1', NOW - DAY_MS), proxy_wallet: `0x${'00'.repeat(20)}` };
    routes['/v2/trades'] = tradesOf([stray]);
    expect(await ask()).toEqual({ kind: 'unsettled', reason: 'no date' });
    expect(outcomes).toEqual(['unsettled']);
    expect(await database.walletAges.get(LOWER)).toBeNull();
  });

  test('is not that of a list with a row whose time cannot be read', async () => {
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - DAY_MS), { condition_id: '0xm2', timestamp: null }]);
    expect(await ask()).toMatchObject({ kind: 'unsettled' });
  });

  test('of a wallet with more trades than a page is the first row of its activity, proven by none before it', async () => {
    routes['/v2/trades'] = endless;
    routes['/v2/activity'] = activityOf([NOW - 300 * DAY_MS, NOW - DAY_MS]);

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS, marketsTraded: null });
    expect(paths().slice(2)).toEqual(['/v2/trades', '/v2/activity', '/v2/activity']);
    const query = { user: LOWER, type: 'TRADE', sort_direction: 'ASC', start: 1, limit: 10 };
    expect(asked.slice(3).map((request) => request.query)).toEqual([
      query,
      { ...query, end: seconds(NOW - 300 * DAY_MS) - 1 },
    ]);
    expect(outcomes).toEqual(['activity']);
  });

  test('a page of recent activity is a candidate only: what is older than it is found', async () => {
    const recent = Array.from({ length: 100 }, (_, n) => NOW - n * SECOND_MS);
    const truth = activityOf([...recent, NOW - 300 * DAY_MS]);
    routes['/v2/trades'] = endless;
    // The cache serves the newest page in place of the oldest.
    routes['/v2/activity'] = (query) =>
      query.has('end')
        ? truth(query)
        : { body: { data: recent.slice(0, 10).map((at) => ({ timestamp: seconds(at) })) } };

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS });
  });

  test('survives activity out of order, of other wallets, and rows that cannot be read', async () => {
    const truth = activityOf([NOW - 4 * DAY_MS, NOW - 3 * DAY_MS]);
    routes['/v2/user-stats'] = joined(null);
    routes['/v2/trades'] = endless;
    routes['/v2/activity'] = (query) => {
      const { data } = truth(query).body as { data: unknown[] };
      const stray = { proxy_wallet: '0xother', timestamp: seconds(NOW - 90 * DAY_MS) };
      return { body: { data: data.length === 0 ? [stray] : [{ timestamp: 'soon' }, ...data.toReversed()] } };
    };
    expect(await factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS });
  });

  test('is no age when it cannot be proven in eight probes', async () => {
    routes['/v2/trades'] = endless;
    routes['/v2/activity'] = () => ({ body: { data: [{ timestamp: seconds(NOW - DAY_MS) }] } });

    expect(await ask()).toEqual({ kind: 'unsettled', reason: 'no date' });
    expect(paths().filter((path) => path === '/v2/activity')).toHaveLength(9);
    expect(await database.walletAges.get(LOWER)).toBeNull();
  });

  test('is read from up to five pages of trades where activity refuses', async () => {
    routes['/v2/trades'] = (query) => {
      const at = Number(query.get('cursor') ?? 0);
      const pagination = { has_more: at < 4, next_cursor: at < 4 ? String(at + 1) : null };
      return { body: { data: [trade('0xm1', NOW - at * DAY_MS)], pagination } };
    };
    routes['/v2/activity'] = refusing(410);

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS, marketsTraded: 1 });
    expect(paths().filter((path) => path === '/v2/trades')).toHaveLength(5);
  });
});

describe('markets traded', () => {
  beforeEach(() => {
    routes['/v2/user-stats'] = joined(seconds(NOW - 3 * DAY_MS));
  });

  test('are distinct ones before the moment, whatever the market answers beside them', async () => {
    const rows = [trade('0xM1', NOW - 1_000), trade('0xm1', NOW - 5_000), trade('0xm2', NOW - 9_000)];
    routes['/v2/trades'] = tradesOf([...rows, trade('0xnow', NOW), trade('0xlater', NOW + 5_000)]);

    expect(await factsOf()).toMatchObject({ marketsTraded: 2 });
    expect(asked.at(-1)?.query).toEqual({
      user: LOWER,
      start: 1,
      end: seconds(NOW) + 2,
      limit: 1_000,
      taker_only: false,
      filter_amount: 0.01,
    });
  });

  test('count a Protocol V2 market once, whichever width its id has', async () => {
    routes['/v2/trades'] = tradesOf([trade(V2_ID, NOW - 5_000), trade(V2_ID_OF_GAMMA, NOW - 6_000)]);
    expect(await factsOf()).toMatchObject({ marketsTraded: 1 });
  });

  test('are counted over pages while they are few, with the same filters and the cursor', async () => {
    routes['/v2/trades'] = (query) => {
      const page = Number(query.get('cursor') ?? 0);
      const pagination = { has_more: page < 2, next_cursor: page < 2 ? String(page + 1) : null };
      return { body: { data: [trade(`0xm${page}`, NOW - 5_000)], pagination } };
    };

    expect(await factsOf()).toMatchObject({ marketsTraded: 3 });
    const [first, ...more] = asked.filter(({ path }) => path === '/v2/trades').map(({ query }) => query);
    expect(more).toEqual([
      { ...first, cursor: '1' },
      { ...first, cursor: '2' },
    ]);
  });

  test('after five pages are those of all time, which are never too few', async () => {
    routes['/v2/trades'] = endless;

    expect(await factsOf()).toMatchObject({ marketsTraded: 3 });
    expect(paths().filter((path) => path === '/v2/trades')).toHaveLength(5);
  });

  test('a row of another wallet does not count', async () => {
    const stray = {
      ...trade('0xm2', NOW - 6_000),
      proxy_wallet: '0x00000000000000000000000000000000000000ff',
    };
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5_000), stray]);
    expect(await factsOf()).toMatchObject({ marketsTraded: 1 });
  });

  test('a row without its market counts as one: what cannot be read makes no wallet fresher', async () => {
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5_000), { timestamp: 1 }]);
    expect(await factsOf()).toMatchObject({ marketsTraded: 2 });
  });

  describe('of a list that does not show the trade', () => {
    const behindBy = (ms: number) => () => NOW - ms;

    test.each([
      ['the list of all trades is hours old', behindBy(3 * HOUR_MS), behindBy(0)],
      ['the answer has been in a cache for hours', behindBy(0), behindBy(3 * HOUR_MS)],
      ['the list of all trades was not read yet', () => null, behindBy(0)],
    ])('do not count while %s: the question fails, and is asked again', async (_name, listed, dated) => {
      listedUntil = listed();
      asOf = dated();
      await expect(ask()).rejects.toThrow('/v2/trades answered with what is older than the trade');

      listedUntil = asOf = NOW;
      expect(await factsOf()).toMatchObject({ marketsTraded: 0 });
    });

    test('count while both are as far behind as they are when all is well', async () => {
      listedUntil = asOf = NOW - 15 * SECOND_MS;
      expect(await factsOf()).toMatchObject({ marketsTraded: 0 });
    });

    test('count when the list shows the trade itself, whatever its age is said to be', async () => {
      listedUntil = asOf = NOW - 3 * HOUR_MS;
      routes['/v2/trades'] = tradesOf([trade('0xnow', NOW), trade('0xm1', NOW - 5_000)]);
      expect(await factsOf()).toMatchObject({ marketsTraded: 1 });
    });

    test('are not those of old statistics instead', async () => {
      asOf = NOW - 3 * HOUR_MS;
      routes['/v2/trades'] = refusing(404);
      await expect(ask()).rejects.toThrow('/v2/user-stats answered with what is older than the trade');
    });
  });
});

const GARBLED: Answer = { body: '<html>' };

describe('a source that refuses', () => {
  test.each<[string, Answer]>([
    ['404', { status: 404, body: {} }],
    ['410', { status: 410, body: {} }],
    ['400', { status: 400, body: {} }],
    ['no JSON', GARBLED],
    ['another shape', { body: [] }],
  ])(
    'by %s knows nothing for now: the next is asked, and when none knows a date it is unsettled',
    async (_name, answer) => {
      for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity']) routes[path] = () => answer;
      expect(await ask()).toEqual({
        kind: 'unsettled',
        reason: 'no date, refused: join_date, trades, activity',
      });
      expect(outcomes).toEqual(['unsettled']);

      routes['/public-profile'] = () => ({ body: { createdAt: '2026-01-17T12:00:00Z' } });
      expect(await factsOf()).toMatchObject({ marketsTraded: null });
      expect(outcomes).toEqual(['unsettled', 'profile']);
    },
  );

  test('trades that refuse leave the count of markets to the statistics of all time', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    routes['/v2/trades'] = refusing(404);
    expect(await factsOf()).toMatchObject({ createdAt: NOW - DAY_MS, marketsTraded: 3 });
  });

  test('refuses three wallets in a row: it is logged once, asked of none for ten minutes, then asked again', async () => {
    routes['/v2/user-stats'] = refusing(410);
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW)]);
    const facts = createFacts();
    const askAll = async (from: number) => {
      asked = [];
      for (let n = from; n < from + 5; n += 1) await ask(NOW, facts, `0x${String(n).padStart(40, '0')}`);
      return paths().filter((path) => path === '/v2/user-stats').length;
    };
    expect(await askAll(0)).toBe(3);
    now += 10 * 60_000 - 1;
    expect(await askAll(5)).toBe(0);
    now += 1;
    expect(await askAll(10)).toBe(1);
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { path: '/v2/user-stats' } }]);

    now += 10 * 60_000;
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    expect(await askAll(15)).toBe(5);
    expect(logger.lines.slice(1)).toMatchObject([{ level: 'info', fields: { path: '/v2/user-stats' } }]);
  });

  test('a profile that is unknown is no refusal, however many in a row', async () => {
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW)]);
    const facts = createFacts();
    for (let n = 0; n < 6; n += 1) await ask(NOW, facts, `0x${String(n).padStart(40, '0')}`);
    expect(paths().filter((path) => path === '/public-profile')).toHaveLength(6);
  });
});

describe('a source that fails', () => {
  test.each([500, 503, 429, 403])(
    'with %i leaves the age to the next; when none has it the question failed',
    async (status) => {
      routes['/v2/user-stats'] = refusing(status);
      await expect(ask()).rejects.toThrow(UpstreamFault);
      expect(outcomes).toEqual(['failed']);
      expect(await database.walletAges.get(LOWER)).toBeNull();

      routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
      expect(await factsOf()).toMatchObject({ createdAt: NOW - 3 * DAY_MS });
    },
  );

  test('trades that fail are no count: the age is not kept, and the wallet is asked again', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    const good = routes['/v2/trades'] as Route;
    routes['/v2/trades'] = refusing(503);
    await expect(ask()).rejects.toThrow(UpstreamFault);
    expect(await database.walletAges.get(LOWER)).toBeNull();

    routes['/v2/trades'] = good;
    expect(await factsOf()).toMatchObject({ createdAt: NOW - DAY_MS, marketsTraded: 0 });
  });

  test('trades that fail for three wallets in a row are not waited for: markets come from statistics', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    routes['/v2/trades'] = refusing(503);
    const facts = createFacts();
    for (const wallet of ['0xa', '0xb', '0xc'])
      await expect(ask(NOW, facts, wallet)).rejects.toThrow(UpstreamFault);
    expect(await ask(NOW, facts)).toMatchObject({
      kind: 'settled',
      row: { row: { facts: { marketsTraded: 3 } } },
    });

    now += 15 * SECOND_MS;
    routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5_000)]);
    expect(await ask(NOW, facts)).toMatchObject({
      kind: 'settled',
      row: { row: { facts: { marketsTraded: 1 } } },
    });
  });

  test.each<[string, Answer]>([
    ['404', { status: 404, body: {} }],
    ['a page of its edge', GARBLED],
  ])(
    'with the whole Data API answering %s no wallet is permanently unknown: the request fails',
    async (_, given) => {
      const good = { ...routes, '/v2/user-stats': joined(seconds(NOW - DAY_MS)) };
      for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity']) routes[path] = () => given;
      const facts = createFacts();
      const askNth = (n: number) => ask(NOW, facts, `0x${String(n).padStart(40, '0')}`);
      for (let n = 0; n < 2; n += 1) expect(await askNth(n)).toMatchObject({ kind: 'unsettled' });
      for (let n = 2; n < 6; n += 1) await expect(askNth(n)).rejects.toThrow(UpstreamFault);
      routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
      await expect(askNth(6)).rejects.toThrow(UpstreamFault);

      now += 10 * 60_000;
      routes = good;
      expect(await askNth(0)).toMatchObject({ kind: 'settled' });
    },
  );

  test('with the whole Data API down the question fails, and is never answered as unknown', async () => {
    for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity']) routes[path] = refusing(500);
    routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
    const facts = createFacts();
    for (let n = 0; n < 6; n += 1)
      await expect(ask(NOW, facts, `0x${String(n).padStart(40, '0')}`)).rejects.toThrow(UpstreamFault);
    expect(outcomes).toEqual(Array(6).fill('failed'));
  });
});
