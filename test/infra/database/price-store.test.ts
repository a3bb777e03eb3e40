import { expect, test } from 'vitest';
import { takeLease } from '../../support/lease.ts';
import { onEachDatabase } from './each-database.ts';
import { dayOf, FIRST_DAY, marketOf } from './watched.ts';

const EVER = { from: 0, before: 1e6, limit: 1_000 };

onEachDatabase('price store', (fixture) => {
  test('markets and their days come back equal', async () => {
    const lease = await takeLease(fixture.database);
    const markets = [marketOf({ marketId: 'a', settledAt: 5 }), marketOf({ marketId: 'b', endsAt: 7 })];
    const days = [dayOf('a', 0), dayOf('b', 0), { ...dayOf('a', 1), points: [[1, 0.000001] as const] }];

    expect(await fixture.database.prices.write(lease, { markets, days })).toBe(true);

    const { prices } = await fixture.another();
    expect(await prices.markets(['c'])).toEqual([]);
    expect(await prices.markets(['b', 'a', 'c', 'a'])).toStrictEqual(markets);
    expect(await prices.days('a', EVER)).toStrictEqual([days[2], days[0]]);
  });

  test('open markets come by id, and in the order of the ends that they state, a page at a time', async () => {
    const lease = await takeLease(fixture.database);
    const ends = { a: 30, b: 10, c: 20, d: 20, e: 40 };
    const markets = Object.entries(ends).map(([marketId, endsAt]) => marketOf({ marketId, endsAt }));
    const { prices } = fixture.database;
    await prices.write(lease, { markets: [...markets, marketOf({ marketId: 'f' })], days: [] });
    await prices.write(lease, { markets: [marketOf({ marketId: 'e', settledAt: 40 })], days: [] });
    const open = async (after: string, limit = 9) =>
      (await prices.open({ after, limit })).map(({ marketId }) => marketId);
    expect(await open('')).toEqual(['a', 'b', 'c', 'd', 'f']);
    expect(await open('b', 2)).toEqual(['c', 'd']);
    expect(await prices.endingNext({ from: 0, limit: 9 })).toEqual(['b', 'c', 'd', 'a']);
    expect(await prices.endingNext({ from: 20, limit: 2 })).toEqual(['c', 'd']);
    expect(await prices.endingNext({ from: 31, limit: 9 })).toEqual([]);
  });

  test('days are read from one on and before another, the newest first', async () => {
    const { prices } = fixture.database;
    const lease = await takeLease(fixture.database);
    const days = [4, 0, 2, 1, 3].flatMap((index) => [dayOf('a', index), dayOf('b', index)]);
    await prices.write(lease, { markets: [], days });
    const read = async (from: number, before: number, limit = 9) => {
      const range = { from: FIRST_DAY + from, before: FIRST_DAY + before, limit };
      return (await prices.days('a', range)).map(({ day }) => day - FIRST_DAY);
    };
    expect(await read(0, 5)).toEqual([4, 3, 2, 1, 0]);
    expect(await read(1, 4)).toEqual([3, 2, 1]);
    expect(await read(0, 4, 2)).toEqual([3, 2]);
  });

  test('of a writer whose epoch has passed, or that released the lease, nothing is written', async () => {
    const { prices } = fixture.database;
    const late = { markets: [marketOf({ marketId: 'a', endsAt: 9 })], days: [dayOf('a', 0, 0.9)] };
    const before = { markets: [marketOf({ marketId: 'a' })], days: [dayOf('a', 0)] };
    const stale = await takeLease(fixture.database);
    await prices.write(stale, before);
    const current = await takeLease(fixture.database, 'b', 1000);

    expect(await prices.write(stale, late)).toBe(false);
    expect(await prices.write(stale, { markets: [], days: [] })).toBe(false);
    expect(await prices.markets(['a'])).toStrictEqual(before.markets);
    expect(await prices.days('a', EVER)).toStrictEqual(before.days);
    await fixture.database.lease.release(current);

    expect(await prices.write(current, late)).toBe(false);
    expect(await prices.days('a', EVER)).toStrictEqual(before.days);
  });
});
