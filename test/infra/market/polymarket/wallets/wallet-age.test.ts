import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import {
  endless,
  joined,
  LOWER,
  NOW,
  type Route,
  refusing,
  seconds,
  trade,
  tradesOf,
  WalletFactsFixture,
} from './wallet-facts-fixture.ts';

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

let fixture: WalletFactsFixture;

beforeEach(() => {
  fixture = new WalletFactsFixture();
});

describe('the age of a wallet', () => {
  test('is the join date of its statistics, asked for in lower case, on the budget for facts', async () => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - 2 * DAY_MS));

    const answer = await fixture.ask();

    const createdAt = new Date(NOW - 2 * DAY_MS).toISOString();
    expect(answer).toMatchObject({
      kind: 'settled',
      row: { line: JSON.stringify({ proxyWallet: LOWER, createdAt, traded: 0 }) },
    });
    expect(fixture.paths()).toEqual(['/v2/user-stats', '/public-profile', '/v2/trades']);
    for (const { purpose, query } of fixture.asked)
      expect([purpose, query['user'] ?? query['address']]).toEqual(['facts', LOWER]);
    expect(fixture.outcomes).toEqual(['join_date']);
  });

  test.each([
    ['null', null],
    ['0', 0],
    ['no number', 'NaN'],
    ['a day after the trade', seconds(NOW + 2 * DAY_MS)],
    ['before the market was there', seconds(Date.UTC(1999, 0))],
  ])('is that of the profile when the join date is %s', async (_name, joinDate) => {
    fixture.routes['/v2/user-stats'] = joined(joinDate);
    fixture.routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00.000Z' } });

    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 3 * DAY_MS });
    expect(fixture.outcomes).toEqual(['profile']);
  });

  const profileOf =
    (at: number): Route =>
    () => ({ body: { createdAt: new Date(at).toISOString() } });

  /** Days before the trade that the statistics, the profile and the first own trade state, and those of the answer. */
  test.each([
    ['the profile is older than the statistics', { stats: 2, profile: 300, trade: 1 }, 300],
    ['the statistics are older than the profile', { stats: 9, profile: 3, trade: 2 }, 9],
    ['the first trade is older than both', { stats: 2, profile: 3, trade: 8 }, 8],
    ['the profile is older, and young too', { stats: 1, profile: 5, trade: 1 }, 5],
  ])('is the oldest date that a source knows: %s', async (_, days, oldest) => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - days.stats * DAY_MS));
    fixture.routes['/public-profile'] = profileOf(NOW - days.profile * DAY_MS);
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - days.trade * DAY_MS)]);
    for (let asked = 0; asked < 2; asked += 1)
      expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - oldest * DAY_MS });
    expect(fixture.ages.get(LOWER)?.createdAt).toBe(NOW - oldest * DAY_MS);
  });

  test('is answered by the source that remains when the other fails, and asked for again', async () => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - 2 * DAY_MS));
    fixture.routes['/public-profile'] = refusing(503);
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 2 * DAY_MS });
    fixture.routes['/public-profile'] = profileOf(NOW - 300 * DAY_MS);
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS });
  });

  test('a stored one gives way to an older first trade, for good', async () => {
    fixture.ages.set(LOWER, { wallet: LOWER, createdAt: NOW - DAY_MS, source: 'join_date' });
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 6 * DAY_MS)]);
    await fixture.factsOf();
    expect(fixture.ages.get(LOWER)?.createdAt).toBe(NOW - 6 * DAY_MS);
  });

  test('may be written in milliseconds, and is never after the trade that was seen', async () => {
    fixture.routes['/v2/user-stats'] = joined(NOW - DAY_MS);
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - DAY_MS });
    fixture.ages.clear();
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW + 60_000));
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW });
  });

  test('is kept permanently, and of an old wallet nothing is requested again', async () => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - 400 * DAY_MS));

    const facts = [await fixture.factsOf(), await fixture.factsOf()];

    expect(facts[1]).toEqual(facts[0]);
    expect(facts[0]).toMatchObject({ createdAt: NOW - 400 * DAY_MS, marketsTraded: null });
    expect(fixture.paths()).toEqual(['/v2/user-stats']);
  });

  test('a stored one that a late trade proves wrong is read again', async () => {
    fixture.ages.set(LOWER, { wallet: LOWER, createdAt: NOW, source: 'join_date' });
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW), trade('0xm1', NOW - 9 * DAY_MS)]);

    expect(await fixture.factsOf(NOW - 5 * DAY_MS)).toMatchObject({ createdAt: NOW - 9 * DAY_MS });
  });
});

describe('the first trade as an age', () => {
  test('is the oldest of its own list when one page holds all, by the request that counts its markets', async () => {
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm2', NOW), trade('0xm1', NOW - 4 * DAY_MS)]);

    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS, marketsTraded: 1 });
    expect(fixture.paths()).toEqual(['/v2/user-stats', '/public-profile', '/v2/trades']);
    expect(fixture.outcomes).toEqual(['trades']);
    expect(fixture.ages.get(LOWER)).toMatchObject({ source: 'trades' });
  });

  test('is the trade itself when the list shows it and nothing before it', async () => {
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW + SECOND_MS)]);
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW, marketsTraded: 0 });
  });

  test.each([
    ['does not show the wallet', { ...trade('0xm1', NOW - DAY_MS), proxy_wallet: `0x${'00'.repeat(20)}` }],
    ['has a row whose time cannot be read', { condition_id: '0xm2', timestamp: null }],
  ])('is not known while its list %s: it makes no wallet fresh', async (_name, row) => {
    fixture.routes['/v2/trades'] = tradesOf([row]);
    expect(await fixture.ask()).toEqual({ kind: 'unsettled', reason: 'no date' });
    expect(fixture.outcomes).toEqual(['unsettled']);
    expect(fixture.ages.has(LOWER)).toBe(false);
  });

  test('of a wallet with more trades than a page is the first row of its activity, proven by none before it', async () => {
    fixture.routes['/v2/trades'] = endless;
    fixture.routes['/v2/activity'] = activityOf([NOW - 300 * DAY_MS, NOW - DAY_MS]);

    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS, marketsTraded: null });
    expect(fixture.paths().slice(2)).toEqual(['/v2/trades', '/v2/activity', '/v2/activity']);
    const query = {
      ...{ user: LOWER, type: 'TRADE', exclude_deposits_withdrawals: true },
      ...{ sort_by: 'TIMESTAMP', sort_direction: 'ASC', start: 1, limit: 10 },
    };
    expect(fixture.asked.slice(3).map((request) => request.query)).toEqual([
      { ...query, end: seconds(NOW + DAY_MS) },
      { ...query, end: seconds(NOW - 300 * DAY_MS) - 1 },
    ]);
    expect(fixture.outcomes).toEqual(['activity']);
  });

  test('a page of recent activity is a candidate only: what is older than it is found', async () => {
    const recent = Array.from({ length: 100 }, (_, n) => NOW - n * SECOND_MS);
    const truth = activityOf([...recent, NOW - 300 * DAY_MS]);
    fixture.routes['/v2/trades'] = endless;
    // The cache serves the newest page in place of the oldest.
    fixture.routes['/v2/activity'] = (query) =>
      Number(query.get('end')) <= seconds(NOW)
        ? truth(query)
        : { body: { data: recent.slice(0, 10).map((at) => ({ timestamp: seconds(at) })) } };

    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 300 * DAY_MS });
  });

  test('survives activity out of order, of other wallets, and rows that cannot be read', async () => {
    const truth = activityOf([NOW - 4 * DAY_MS, NOW - 3 * DAY_MS]);
    fixture.routes['/v2/user-stats'] = joined(null);
    fixture.routes['/v2/trades'] = endless;
    fixture.routes['/v2/activity'] = (query) => {
      const { data } = truth(query).body as { data: unknown[] };
      const stray = { proxy_wallet: '0xother', timestamp: seconds(NOW - 90 * DAY_MS) };
      return { body: { data: data.length === 0 ? [stray] : [{ timestamp: 'soon' }, ...data.toReversed()] } };
    };
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS });
  });

  test('is no age when it cannot be proven in eight probes', async () => {
    fixture.routes['/v2/trades'] = endless;
    fixture.routes['/v2/activity'] = () => ({ body: { data: [{ timestamp: seconds(NOW - DAY_MS) }] } });

    expect(await fixture.ask()).toEqual({ kind: 'unsettled', reason: 'no date' });
    expect(fixture.paths().filter((path) => path === '/v2/activity')).toHaveLength(9);
    expect(fixture.ages.has(LOWER)).toBe(false);
  });

  test('is read from up to five pages of trades where activity refuses', async () => {
    fixture.routes['/v2/trades'] = (query) => {
      const at = Number(query.get('cursor') ?? 0);
      const pagination = { has_more: at < 4, next_cursor: at < 4 ? String(at + 1) : null };
      return { body: { data: [trade('0xm1', NOW - at * DAY_MS)], pagination } };
    };
    fixture.routes['/v2/activity'] = refusing(410);

    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 4 * DAY_MS, marketsTraded: 1 });
    expect(fixture.paths().filter((path) => path === '/v2/trades')).toHaveLength(5);
  });
});
