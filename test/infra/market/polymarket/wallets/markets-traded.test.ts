import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../../src/core/base/time/duration.ts';
import { V2_ID, V2_ID_OF_GAMMA } from '../../../../support/polymarket/protocol-v2.ts';
import {
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
      end: seconds(NOW) + 2,
      limit: 1_000,
      taker_only: false,
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
