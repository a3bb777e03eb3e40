import { expect, test } from 'vitest';
import { openMarket } from '../support/market/open-market.ts';

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

test('refusals and Gamma’s answers are not kept', async () => {
  const { clock, get } = await openMarket({ cdn: 'by-url' });
  expect((await get('/v2/trades', { offset: 1 })).status).toBe(400);
  await clock.advance(1_000);
  expect((await get('/v2/trades', { offset: 1 })).headers.get('age')).toBeNull();
  await get('/markets');
  expect((await get('/markets')).headers.get('x-cache')).toBeNull();
});
