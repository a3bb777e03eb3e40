import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import { UpstreamFault } from '../../../../../src/infra/market/polymarket/client/market-client.ts';
import { V2_ID, V2_ID_OF_GAMMA } from '../../../../support/polymarket/protocol-v2.ts';
import {
  type Answer,
  endless,
  joined,
  LOWER,
  NOW,
  refusing,
  seconds,
  trade,
  tradesOf,
  WalletFactsFixture,
} from './wallet-facts-fixture.ts';

let fixture: WalletFactsFixture;

beforeEach(() => {
  fixture = new WalletFactsFixture();
});

describe('markets traded', () => {
  beforeEach(() => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - 3 * DAY_MS));
  });

  test('are distinct ones before the moment, whatever the market answers beside them', async () => {
    const rows = [trade('0xM1', NOW - 1_000), trade('0xm1', NOW - 5_000), trade('0xm2', NOW - 9_000)];
    fixture.routes['/v2/trades'] = tradesOf([...rows, trade('0xnow', NOW), trade('0xlater', NOW + 5_000)]);

    expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 2 });
    expect(fixture.asked.at(-1)?.query).toEqual({
      user: LOWER,
      start: 1,
      end: seconds(NOW),
      limit: 1_000,
      taker_only: false,
      filter_type: 'TOKENS',
      filter_amount: 0.01,
    });
  });

  test('count a Protocol V2 market once, whichever width its id has', async () => {
    fixture.routes['/v2/trades'] = tradesOf([trade(V2_ID, NOW - 5_000), trade(V2_ID_OF_GAMMA, NOW - 6_000)]);
    expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 1 });
  });

  test('are counted over pages while they are few, with the same filters and the cursor', async () => {
    fixture.routes['/v2/trades'] = (query) => {
      const page = Number(query.get('cursor') ?? 0);
      const pagination = { has_more: page < 2, next_cursor: page < 2 ? String(page + 1) : null };
      return { body: { data: [trade(`0xm${page}`, NOW - 5_000)], pagination } };
    };

    expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 3 });
    const [first, ...more] = fixture.asked
      .filter(({ path }) => path === '/v2/trades')
      .map(({ query }) => query);
    expect(more).toEqual([
      { ...first, cursor: '1' },
      { ...first, cursor: '2' },
    ]);
  });

  test('after five pages are those of all time, which are never too few', async () => {
    fixture.routes['/v2/trades'] = endless;

    expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 3 });
    expect(fixture.paths().filter((path) => path === '/v2/trades')).toHaveLength(5);
  });

  test('a row of another wallet does not count, one without its market as one: it makes no wallet fresher', async () => {
    const stray = { ...trade('0xm2', NOW - 6_000), proxy_wallet: `0x${'ff'.repeat(20)}` };
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5_000), stray, { timestamp: 1 }]);
    expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 2 });
  });

  describe('of a list that does not show the trade', () => {
    const behindBy = (ms: number) => () => NOW - ms;

    test.each([
      ['the list of all trades is hours old', behindBy(3 * HOUR_MS), behindBy(0)],
      ['the answer has been in a cache for hours', behindBy(0), behindBy(3 * HOUR_MS)],
      ['the list of all trades was not read yet', () => null, behindBy(0)],
    ])('do not count while %s: the question fails, and is asked again', async (_name, listed, dated) => {
      fixture.listedUntil = listed();
      fixture.asOf = dated();
      await expect(fixture.ask()).rejects.toThrow('/v2/trades answered with what is older than the trade');

      fixture.listedUntil = fixture.asOf = NOW;
      expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 0 });
    });

    test('count while both are as far behind as they are when all is well', async () => {
      fixture.listedUntil = fixture.asOf = NOW - 15 * SECOND_MS;
      expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 0 });
    });

    test('count when the list shows the trade itself, whatever its age is said to be', async () => {
      fixture.listedUntil = fixture.asOf = NOW - 3 * HOUR_MS;
      fixture.routes['/v2/trades'] = tradesOf([trade('0xnow', NOW), trade('0xm1', NOW - 5_000)]);
      expect(await fixture.factsOf()).toMatchObject({ marketsTraded: 1 });
    });

    test('are not those of old statistics instead', async () => {
      fixture.asOf = NOW - 3 * HOUR_MS;
      fixture.routes['/v2/trades'] = refusing(404);
      await expect(fixture.ask()).rejects.toThrow(
        '/v2/user-stats answered with what is older than the trade',
      );
    });
  });
});

const GARBLED: Answer = { body: '<html>' };

describe('a source that refuses', () => {
  test.each<[string, Answer]>([
    ['404', { status: 404, body: {} }],
    ['400', { status: 400, body: {} }],
    ['no JSON', GARBLED],
    ['another shape', { body: [] }],
  ])(
    'by %s knows nothing for now: the next is asked, and when none knows a date it is unsettled',
    async (_name, answer) => {
      for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity'])
        fixture.routes[path] = () => answer;
      expect(await fixture.ask()).toEqual({
        kind: 'unsettled',
        reason: 'no date, refused: join_date, trades, activity',
      });
      expect(fixture.outcomes).toEqual(['unsettled']);

      fixture.routes['/public-profile'] = () => ({ body: { createdAt: '2026-01-17T12:00:00Z' } });
      expect(await fixture.factsOf()).toMatchObject({ marketsTraded: null });
      expect(fixture.outcomes).toEqual(['unsettled', 'profile']);
    },
  );

  test('trades that refuse leave the count of markets to the statistics of all time', async () => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    fixture.routes['/v2/trades'] = refusing(404);
    expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - DAY_MS, marketsTraded: 3 });
  });

  test('refuses three wallets in a row: it is logged once, and asked again of one wallet after 5 s, 10 s and so on', async () => {
    fixture.routes['/v2/user-stats'] = refusing(410);
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW)]);
    const facts = fixture.createFacts();
    let wallets = 0;
    const askFive = async () => {
      fixture.asked = [];
      for (const until = wallets + 5; wallets < until; wallets += 1) await fixture.askNth(wallets, facts);
      return fixture.paths().filter((path) => path === '/v2/user-stats').length;
    };
    expect(await askFive()).toBe(3);
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      fixture.now += seconds * SECOND_MS - 1;
      expect(await askFive()).toBe(0);
      fixture.now += 1;
      expect(await askFive()).toBe(1);
    }
    expect(fixture.logger.lines).toMatchObject([{ level: 'warn', fields: { path: '/v2/user-stats' } }]);

    fixture.now += 60 * SECOND_MS;
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    expect(await askFive()).toBe(5);
    expect(fixture.logger.lines.slice(1)).toMatchObject([
      { level: 'info', fields: { path: '/v2/user-stats' } },
    ]);
  });

  test('a profile that is unknown is no refusal, however many in a row', async () => {
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW)]);
    const facts = fixture.createFacts();
    for (let n = 0; n < 6; n += 1) await fixture.askNth(n, facts);
    expect(fixture.paths().filter((path) => path === '/public-profile')).toHaveLength(6);
  });
});

describe('a source that fails', () => {
  test.each([503, 429, 403])(
    'with %i leaves the age to the next; when none has it the question failed',
    async (status) => {
      fixture.routes['/v2/user-stats'] = refusing(status);
      await expect(fixture.ask()).rejects.toThrow(UpstreamFault);
      expect(fixture.outcomes).toEqual(['failed']);
      expect(fixture.ages.has(LOWER)).toBe(false);

      fixture.routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
      expect(await fixture.factsOf()).toMatchObject({ createdAt: NOW - 3 * DAY_MS });
    },
  );

  test('trades that fail are no count; for three wallets in a row they are not waited for: markets come from statistics', async () => {
    fixture.routes['/v2/user-stats'] = joined(seconds(NOW - DAY_MS));
    fixture.routes['/v2/trades'] = refusing(503);
    const facts = fixture.createFacts();
    for (const wallet of ['0xa', '0xb', '0xc'])
      await expect(fixture.ask(NOW, facts, wallet)).rejects.toThrow(UpstreamFault);
    expect(fixture.ages.size).toBe(0);
    expect(await fixture.ask(NOW, facts)).toMatchObject({
      kind: 'settled',
      row: { row: { facts: { marketsTraded: 3 } } },
    });

    fixture.now += 5 * SECOND_MS;
    fixture.routes['/v2/trades'] = tradesOf([trade('0xm1', NOW - 5_000)]);
    expect(await fixture.ask(NOW, facts)).toMatchObject({
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
      const good = { ...fixture.routes, '/v2/user-stats': joined(seconds(NOW - DAY_MS)) };
      for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity']) fixture.routes[path] = () => given;
      const facts = fixture.createFacts();
      const askNth = (n: number) => fixture.askNth(n, facts);
      for (let n = 0; n < 2; n += 1) expect(await askNth(n)).toMatchObject({ kind: 'unsettled' });
      for (let n = 2; n < 6; n += 1) await expect(askNth(n)).rejects.toThrow(UpstreamFault);
      fixture.routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
      await expect(askNth(6)).rejects.toThrow(UpstreamFault);

      fixture.routes = good;
      await expect(askNth(0)).rejects.toThrow(UpstreamFault);
      // Polling is answered again.
      const poll = { api: 'data', path: '/v2/trades', query: {}, purpose: 'poll' } as const;
      await fixture.client.get(poll, new AbortController().signal);
      expect(await askNth(0)).toMatchObject({ kind: 'settled' });
    },
  );

  test('with the whole Data API down the question fails, and is never answered as unknown', async () => {
    for (const path of ['/v2/user-stats', '/v2/trades', '/v2/activity']) fixture.routes[path] = refusing(500);
    fixture.routes['/public-profile'] = () => ({ body: { createdAt: '2026-11-17T12:00:00Z' } });
    const facts = fixture.createFacts();
    for (let n = 0; n < 6; n += 1) await expect(fixture.askNth(n, facts)).rejects.toThrow(UpstreamFault);
    expect(fixture.outcomes).toEqual(Array(6).fill('failed'));
  });
});
