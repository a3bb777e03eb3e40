import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../../src/core/duration.ts';
import type { Database } from '../../../../src/core/ports/database.ts';
import { openDatabase } from '../../../../src/infra/database.ts';
import {
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../../../../src/infra/polymarket/client/market-client.ts';
import { createWalletFacts } from '../../../../src/infra/polymarket/wallets/wallet-facts.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { V2_ID, V2_ID_OF_GAMMA } from '../../../support/polymarket/protocol-v2.ts';
import { type SmallMarket, startSmallMarket } from '../../../support/polymarket/small-market.ts';
import { thinClient } from '../../../support/polymarket/thin-client.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const WALLET = `0x${'Ab'.repeat(20)}`;
const LOWER = WALLET.toLowerCase();
const seconds = (at: number) => Math.floor(at / SECOND_MS);

type Answer = { readonly status?: number; readonly body: unknown };
type Route = (query: URLSearchParams) => Answer;

const unknownUser: Route = () => ({ body: { data: null } });
const unknownProfile: Route = () => ({ status: 404, body: { error: 'not found' } });
const nothing: Route = () => ({ body: [] });
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
    body: moments
      .filter((at) => seconds(at) <= Number(query.get('end') ?? Number.POSITIVE_INFINITY))
      .toSorted((a, b) => a - b)
      .slice(0, Number(query.get('limit')))
      .map((at) => ({ timestamp: seconds(at), type: 'TRADE' })),
  });

let market: SmallMarket;
let database: Database;
let routes: Record<string, Route>;
let asked: MarketRequest[];
let outcomes: string[];

beforeEach(async () => {
  asked = [];
  outcomes = [];
  routes = {
    '/v2/user-stats': unknownUser,
    '/public-profile': unknownProfile,
    '/activity': nothing,
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
  get(request, signal) {
    asked.push(request);
    return thinClient(market.url).get(request, signal);
  },
};

function ask(before = NOW) {
  const metrics = { ...noMetrics, factsAsked: (outcome: string) => void outcomes.push(outcome) };
  const clock = { now: () => NOW };
  const facts = createWalletFacts({ client, ages: database.walletAges, clock, metrics, maxAgeDays: 14 });
  return facts.ask(WALLET, before, new AbortController().signal);
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

  test('is kept for ever, and of an old wallet nothing is asked again', async () => {
    routes['/v2/user-stats'] = joined(seconds(NOW - 400 * DAY_MS));

    const facts = [await factsOf(), await factsOf()];

    expect(facts[1]).toEqual(facts[0]);
    expect(facts[0]).toMatchObject({ createdAt: NOW - 400 * DAY_MS, marketsTraded: null });
    expect(paths()).toEqual(['/v2/user-stats']);
  });

  test('a stored one that a late trade proves wrong is looked for anew', async () => {
    await database.walletAges.put({ wallet: LOWER, createdAt: NOW, source: 'join_date' });
    routes['/activity'] = activityOf([NOW - 9 * DAY_MS, NOW]);

    expect(await factsOf(NOW - 5 * DAY_MS)).toMatchObject({ createdAt: NOW - 9 * DAY_MS });
  });
});

describe('the first trade as an age', () => {
  test('a page of recent rows is a candidate only: what is older than it is found', async () => {
    const recent = Array.from({ length: 100 }, (_, n) => NOW - n * SECOND_MS);
    const truth = activityOf([...recent, NOW - 300 * DAY_MS]);
    // The cache serves the newest page in place of the oldest.
    routes['/activity'] = (query) =>
      query.has('end')
        ? truth(query)
        : { body: recent.slice(0, 10).map((at) => ({ timestamp: seconds(at) })) };

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS });
    expect(outcomes).toEqual(['activity']);
  });

  test('survives rows out of order and rows that cannot be read', async () => {
    const truth = activityOf([NOW - 4 * DAY_MS, NOW - 3 * DAY_MS]);
    routes['/activity'] = (query) => {
      const rows = truth(query).body as unknown[];
      return { body: rows.length === 0 ? [] : [{ timestamp: 'soon' }, ...rows.toReversed(), null] };
    };

    expect(await factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS });
  });

  test('is no age when it cannot be proven in eight probes', async () => {
    routes['/activity'] = () => ({ body: [{ timestamp: seconds(NOW - DAY_MS) }] });

    expect(await ask()).toEqual({ kind: 'unsettled', reason: 'no proof of the first trade' });
    expect(paths().filter((path) => path === '/activity')).toHaveLength(9);
    expect(await database.walletAges.get(LOWER)).toBeNull();
  });

  test('a wallet the market does not know yet is unsettled', async () => {
    expect(await ask()).toEqual({ kind: 'unsettled', reason: 'no activity' });
    expect(paths()).toEqual(['/v2/user-stats', '/public-profile', '/activity']);
    expect(outcomes).toEqual(['unsettled']);
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
      end: seconds(NOW) - 1,
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
    routes['/v2/trades'] = () => ({
      body: { data: [trade('0xm1', NOW - 5_000)], pagination: { has_more: true, next_cursor: 'on' } },
    });

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
});

describe('an answer that is none', () => {
  test.each<[string, string, Answer]>([
    ['statistics overloaded', '/v2/user-stats', { status: 429, body: {} }],
    ['trades gone', '/v2/trades', { status: 404, body: {} }],
    ['trades in another shape', '/v2/trades', { body: { rows: [] } }],
    ['trades without a row that can be read', '/v2/trades', { body: { data: [{}, 7] } }],
    ['no JSON', '/v2/trades', { body: '<html>' }],
  ])('%s: is no fact, is not kept, and is asked again', async (_name, path, answer) => {
    routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    const good = routes[path] as Route;
    routes[path] = () => answer;
    await expect(ask()).rejects.toThrow(UpstreamFault);
    expect(outcomes).toEqual(['failed']);
    expect(await database.walletAges.get(LOWER)).toBeNull();

    routes[path] = good;
    expect(await factsOf()).toMatchObject({ createdAt: NOW - DAY_MS, marketsTraded: 0 });
  });

  test('one route that fails leaves the age to the next; when none has it the failure counts', async () => {
    routes['/v2/user-stats'] = () => ({ status: 500, body: {} });
    await expect(ask()).rejects.toThrow(UpstreamFault);
    routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
    expect(await factsOf()).toMatchObject({ createdAt: NOW - 3 * DAY_MS });
  });

  test('a page of activity that is gone proves nothing', async () => {
    routes['/activity'] = (query) =>
      query.has('end') ? { status: 404, body: {} } : { body: [{ timestamp: seconds(NOW - DAY_MS) }] };
    await expect(ask()).rejects.toThrow(UpstreamFault);
  });
});
