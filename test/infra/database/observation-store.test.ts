import { expect, test } from 'vitest';
import { takeLease } from '../../support/lease.ts';
import { onEachDatabase } from './each-database.ts';
import { FIRST_HOUR, HOUR_MS, hourOf, marketOf } from './observed.ts';

const EVER = { from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1000 };

onEachDatabase('observation store', (fixture) => {
  test('a market and its hours come back equal', async () => {
    const lease = await takeLease(fixture.database);
    const market = marketOf({
      marketId: 'a',
      eventSlug: 'event',
      otherAsset: '7',
      settledAt: FIRST_HOUR + 5,
    });
    const hours = [
      hourOf('a', 0, `{"text":"ü 😀 \\ud800"}`),
      hourOf('a', 1, '💶'.repeat(200_000)),
      hourOf('a', 2, ''),
      // Deflated from 512 characters on.
      hourOf('a', 3, 'x'.repeat(511)),
      hourOf('a', 4, 'x'.repeat(512)),
    ];

    expect(await fixture.database.observations.write(lease, { markets: [market], hours })).toBe(true);

    const { observations } = await fixture.another();
    expect(await observations.market('b')).toBeNull();
    expect(await observations.market('a')).toStrictEqual(market);
    expect(await observations.hours('a', EVER)).toStrictEqual(hours);
  });

  test('open markets come in the order of the ends that they state', async () => {
    const lease = await takeLease(fixture.database);
    const ends = { a: 30, b: 10, c: 20, d: 20, e: 40 };
    const markets = Object.entries(ends).map(([marketId, endsAt]) => marketOf({ marketId, endsAt }));
    const closed = marketOf({ marketId: 'e', endsAt: 40, isOpen: false });
    const { observations } = fixture.database;
    await observations.write(lease, { markets: [...markets, marketOf({ marketId: 'f' })], hours: [] });
    await observations.write(lease, { markets: [closed], hours: [] });
    const next = async (from: number, limit = 9) =>
      (await observations.endingNext({ from, limit })).map(({ marketId }) => marketId);
    expect(await next(0)).toEqual(['b', 'c', 'd', 'a']);
    expect(await next(20, 2)).toEqual(['c', 'd']);
    expect(await next(31)).toEqual([]);
  });

  test('hours are read from a moment on and before another, in either order, a page at a time', async () => {
    const { observations } = fixture.database;
    const lease = await takeLease(fixture.database);
    const markets = ['b', 'a', 'c'].map((marketId) => marketOf({ marketId }));
    const hours = [4, 0, 2, 1, 3].flatMap((index) => [
      hourOf('a', index),
      hourOf('b', index),
      hourOf('c', index),
    ]);
    await observations.write(lease, { markets, hours });
    const read = async (from: number, until: number, limit = 100, isNewestFirst = false) =>
      (await observations.hours('a', { from, until, limit, isNewestFirst })).map(
        ({ hour }) => (hour - FIRST_HOUR) / HOUR_MS,
      );

    expect(await read(0, Number.POSITIVE_INFINITY)).toEqual([0, 1, 2, 3, 4]);
    expect(await read(FIRST_HOUR + HOUR_MS, FIRST_HOUR + 3 * HOUR_MS)).toEqual([1, 2]);
    expect(await read(FIRST_HOUR + 1, FIRST_HOUR + 3 * HOUR_MS + 1)).toEqual([1, 2, 3]);
    expect(await read(-1, EVER.until, 2)).toEqual([0, 1]);
    expect(await read(FIRST_HOUR + 2 * HOUR_MS, EVER.until, 2)).toEqual([2, 3]);
    expect(await read(FIRST_HOUR + HOUR_MS, FIRST_HOUR + HOUR_MS)).toEqual([]);
    expect(await read(0, FIRST_HOUR + 4 * HOUR_MS, 2, true)).toEqual([3, 2]);
  });

  test('hours of a market that was never written are refused', async () => {
    const { observations } = fixture.database;
    const lease = await takeLease(fixture.database);
    const batch = { markets: [marketOf({ marketId: 'a' })], hours: [hourOf('a', 0), hourOf('unknown', 0)] };

    await expect(observations.write(lease, batch)).rejects.toThrow('not observed: unknown');

    for (const marketId of ['a', 'unknown']) expect(await observations.hours(marketId, EVER)).toEqual([]);
  });

  test('of a writer whose epoch has passed, or that released the lease, nothing is written', async () => {
    const { observations } = fixture.database;
    const late = {
      markets: [marketOf({ marketId: 'a', question: 'late' })],
      hours: [hourOf('a', 0, 'late')],
    };
    const before = { markets: [marketOf({ marketId: 'a' })], hours: [hourOf('a', 0)] };
    const stale = await takeLease(fixture.database);
    await observations.write(stale, before);
    const current = await takeLease(fixture.database, 'b', 1000);

    expect(await observations.write(stale, late)).toBe(false);
    expect(await observations.write(stale, { markets: [], hours: [] })).toBe(false);
    expect(await observations.market('a')).toStrictEqual(before.markets[0]);
    expect(await observations.hours('a', EVER)).toStrictEqual(before.hours);
    expect(await observations.write(current, { markets: [], hours: [hourOf('a', 0, 'new')] })).toBe(true);
    await fixture.database.lease.release(current);

    expect(await observations.write(current, late)).toBe(false);
    expect(await observations.hours('a', EVER)).toStrictEqual([hourOf('a', 0, 'new')]);
  });
});
