import { expect, test } from 'vitest';
import { AS_MEASURED } from '../support/market/market-profile.ts';
import { openMarket } from '../support/market/open-market.ts';
import { walletNo } from '../support/market/small-tape.ts';

const QUERY = { limit: 5, taker_only: 'false' };
const uncached = { 'cache-control': 'no-cache', pragma: 'no-cache' };

test('the same URL is answered with the same body for 300 s, whatever the headers of the request ask for', async () => {
  const { market, clock, get } = await openMarket({ cdn: 'by-url' });
  market.revealUntil(clock.now() - 50_000);
  const first = await get('/v2/trades', QUERY);
  market.revealUntil(clock.now() + 400_000);
  await clock.advance(299_000);
  const kept = await get('/v2/trades', QUERY, uncached);
  await clock.advance(1_000);
  const anew = await get('/v2/trades', QUERY);

  expect(first.headers.get('age')).toBeNull();
  expect(kept.text).toBe(first.text);
  expect(Object.fromEntries(kept.headers)).toMatchObject({
    age: '299',
    'cache-control': 'public, max-age=300',
    'x-cache': 'Hit from cloudfront',
    date: new Date(clock.now() - 1_000).toUTCString(),
  });
  expect(market.cdn.asOf('/v2/trades')).toBe(clock.now());
  expect(anew.headers.get('x-cache')).toBe('Miss from cloudfront');
  expect(anew.text).not.toBe(first.text);
});

test('a parameter that differs is another URL, unless the cache ignores it', async () => {
  const { market, clock, get } = await openMarket({ cdn: 'by-url' });
  const statuses = async () => {
    const answers = [
      await get('/v2/trades', { ...QUERY, _: 1 }),
      await get('/v2/trades', { ...QUERY, _: 2 }),
    ];
    return answers.map(({ headers }) => headers.get('x-cache')?.slice(0, 4));
  };
  expect(await statuses()).toEqual(['Miss', 'Miss']);
  await clock.advance(300_000);
  market.cdn.mode = 'ignores-unused';
  expect(await statuses()).toEqual(['Miss', 'Hit ']);
  market.cdn.mode = 'off';
  expect(await statuses()).toEqual([undefined, undefined]);
});

test('refusals are not kept; activity is for 15 s, Gamma’s answers for 300 s by another CDN', async () => {
  const { clock, get } = await openMarket({ cdn: 'by-url' });
  const again = async (path: string, query: Readonly<Record<string, string | number>>, ms: number) => {
    await get(path, query);
    await clock.advance(ms);
    return Object.fromEntries((await get(path, query)).headers);
  };
  expect(await again('/v2/trades', { offset: 1 }, 1_000)).not.toHaveProperty('age');
  const user = walletNo(1);
  expect(await again('/v2/activity', { user }, 14_000)).toMatchObject({
    age: '14',
    'cache-control': 'public, max-age=15',
  });
  expect(await again('/v2/activity', { user }, 15_000)).not.toHaveProperty('age');
  expect(await again('/markets/keyset', {}, 299_000)).toMatchObject({ age: '299', 'cf-cache-status': 'HIT' });
});

test('as measured, an answer from the cache has the Date at which it was made', async () => {
  const { clock, get } = await openMarket(AS_MEASURED);
  const madeAt = clock.now();
  await get('/v2/trades', QUERY);
  await clock.advance(40_000);
  const { headers } = await get('/v2/trades', QUERY);
  expect([headers.get('age'), headers.get('date')]).toEqual(['40', new Date(madeAt).toUTCString()]);
});

test('pages with a parameter of their own do not pile up, and displace no other', async () => {
  const { get } = await openMarket({ cdn: 'by-url' });
  await get('/v2/trades', QUERY);
  for (let n = 0; n < 60; n++) await get('/v2/trades', { ...QUERY, _: n });
  const cached = async (query: object) =>
    (await get('/v2/trades', { ...QUERY, ...query })).headers.get('x-cache')?.slice(0, 4);
  expect([await cached({}), await cached({ _: 59 }), await cached({ _: 0 })]).toEqual([
    ...['Hit ', 'Hit ', 'Miss'],
  ]);
});
