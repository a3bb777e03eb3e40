import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Metrics } from '../../../../../src/core/metrics.ts';
import { HttpMarketClient } from '../../../../../src/infra/market/polymarket/client/http-market-client.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { noMetrics } from '../../../../support/no-metrics.ts';
import { budgetOf } from '../../../../support/polymarket/budget-of.ts';
import { type SmallMarket, startSmallMarket } from '../../../../support/polymarket/small-market.ts';

const START = Date.UTC(2026, 10, 20, 12);
const never = new AbortController().signal;
const request = { api: 'data', path: '/v2/trades', query: {}, purpose: 'poll' } as const;

async function client(answer: SmallMarket['answer']) {
  const market = await startSmallMarket(answer);
  const clock = createFakeClock(START);
  const outcomes: string[] = [];
  const routes: string[] = [];
  const ages: number[] = [];
  const lengths: number[] = [];
  const metrics: Metrics = {
    ...noMetrics,
    upstreamAnswered({ api, route }, outcome) {
      outcomes.push(outcome);
      routes.push(`${api} ${route}`);
    },
    upstreamReceived: (_request, bytes) => void lengths.push(bytes),
    upstreamAged: (_request, ageMs) => void ages.push(ageMs),
  };
  const budget = budgetOf(clock);
  const urls = { dataUrl: market.url, gammaUrl: market.url };
  const made = new HttpMarketClient({ market: urls, budget, clock, metrics });
  onTestFinished(() => Promise.all([market.close(), made.close()]).then(() => {}));
  return { market, clock, outcomes, routes, ages, lengths, client: made };
}

/** Dated like the clock of the test, in whole seconds, unless the headers say otherwise. */
const say =
  (status: number, body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
  (_asked: unknown, response: ServerResponse): void => {
    response.writeHead(status, { date: new Date(START).toUTCString(), ...headers }).end(body);
  };

test('asks with its name, lists as repeated parameters, and gives the parsed answer', async () => {
  const { client: made, market, outcomes, clock } = await client(say(200, '{"data":[1]}'));
  const query = { limit: 5, id: ['a', 'b'], closed: false };
  const answer = await made.get({ ...request, query, purpose: 'markets' }, never);
  expect(answer).toEqual({ body: { data: [1] }, ageMs: 0, asOf: START });
  expect(market.asked[0]?.query.toString()).toBe('limit=5&id=a&id=b&closed=false');
  expect(market.asked[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Tipoff\/\d/),
    accept: 'application/json',
  });
  expect(outcomes).toEqual(['ok']);
  expect(clock.sleepers).toBe(0);
});

const GZIP = { 'content-encoding': 'gzip' };
const BROTLI = { 'content-encoding': 'br' };

test.each([
  ['br', brotliCompressSync('{"data":[1]}')],
  ['gzip', gzipSync('{"data":[1]}')],
])('an answer in %s is asked for, read, and counted as long as it was sent', async (encoding, body) => {
  const { client: made, market, lengths } = await client(say(200, body, { 'content-encoding': encoding }));
  expect((await made.get(request, never)).body).toEqual({ data: [1] });
  expect(market.asked[0]?.headers['accept-encoding']?.split(', ')).toContain(encoding);
  expect(lengths).toEqual([body.length]);
});

test('each request differs in an unused parameter, so that no cache answers it; descriptions of markets may be cached', async () => {
  const { client: made, market } = await client(() => []);
  const query = { limit: 5 };
  for (const purpose of ['poll', 'poll', 'sweep', 'facts', 'resolutions'] as const)
    await made.get({ ...request, query, purpose }, never);
  await made.get({ ...request, query, purpose: 'markets' }, never);
  const [described, ...others] = market.asked.map((asked) => asked.query.toString()).toReversed();
  expect(described).toBe('limit=5');
  expect(new Set(others).size).toBe(5);
  for (const other of others) expect(other).toMatch(/^limit=5&_=[\d.]+$/);
});

const OLDEST_MS = 2 ** 31 * 1_000;
/** For so long the CDN keeps an answer: one whose age cannot be read may be as old. */
const KEPT_MS = 300_000;
const HIT = 'Hit from cloudfront';
test.each<[{ age?: string | string[]; 'x-cache'?: string }, number]>([
  [{}, 0],
  [{ age: '0' }, 0],
  [{ age: '007' }, 7_000],
  [{ age: '300,0' }, 300_000],
  [{ age: '20, soon' }, 20_000],
  [{ age: ['10', '300'] }, 300_000],
  [{ age: '9'.repeat(40) }, OLDEST_MS],
  [{ age: '1.5' }, KEPT_MS],
  [{ age: '-5' }, KEPT_MS],
  [{ age: '' }, KEPT_MS],
  [{ 'x-cache': HIT }, KEPT_MS],
  [{ 'x-cache': HIT, age: 'soon' }, KEPT_MS],
  [{ 'x-cache': HIT, age: '12' }, 12_000],
  [{ 'x-cache': 'HIT' }, KEPT_MS],
  [{ 'x-cache': 'Miss from cloudfront' }, 0],
  [{ 'x-cache': 'RefreshHit from cloudfront' }, 0],
])('an answer with %j has been in a cache for %i ms', async (headers, ageMs) => {
  const { client: made, ages } = await client(say(200, '[]', headers));
  expect(await made.get(request, never)).toEqual({ body: [], ageMs, asOf: START - ageMs });
  expect(ages).toEqual([ageMs]);
});

test('an answer shows the market as of when it was asked for, and never later than its Date', async () => {
  const dated = (ms: number) => ({ date: new Date(START + ms).toUTCString() });
  const { client: made, market } = await client(say(200, '[]', dated(90_000)));
  expect((await made.get(request, never)).asOf).toBe(START);
  // To a second, which is the unit of `Date`.
  market.answer = say(200, '[]', dated(-60_000));
  expect((await made.get(request, never)).asOf).toBe(START - 59_000);
});

test('errors carry the market’s time and their age as well; a cached answer carries no time', async () => {
  const dated = (ms: number) => ({ date: new Date(START + ms).toUTCString() });
  const first = say(200, '[]', { ...dated(-250_000), age: '250' });
  const { client: made, market, ages } = await client(first);
  await made.get(request, never);
  expect(made.skewMs).toBeNull();
  market.answer = say(503, '', dated(40_000));
  await expect(made.get(request, never)).rejects.toThrow();
  expect(made.skewMs).toBe(40_000);
  expect(ages).toEqual([250_000, 0]);
});

test('requests are counted by route; a path that is none of them counts as other', async () => {
  const { client: made, routes } = await client(say(200, '[]'));
  for (const path of ['/v2/trades', '/v2/nonsense']) await made.get({ ...request, path }, never);
  expect(routes).toEqual(['data /v2/trades', 'data other']);
});

test.each([
  ['a page of HTML with status 200', say(200, '<html>Just a moment…</html>'), 'garbled', 200],
  ['NaN, which is no JSON', say(200, '[{"size":NaN}]'), 'garbled', 200],
  ['nothing', say(200, ''), 'garbled', 200],
  ['what is not gzip though it says so', say(200, '[1]', GZIP), 'garbled', 200],
  ['what is not Brotli though it says so', say(200, '[1]', BROTLI), 'garbled', 200],
  ['more than any page', say(200, gzipSync(Buffer.alloc(40_000_000, 32)), GZIP), 'garbled', 200],
  ['408', say(408, '{"error":"timeout"}'), 'refused', 408],
  ['429', say(429, '{}'), 'limited', 429],
  ['500', say(500, 'oops'), 'refused', 500],
  ['a redirect', say(302, '', { location: '/' }), 'refused', 302],
  [
    'a connection that breaks off',
    (_: unknown, response: ServerResponse): void => {
      response.destroy();
    },
    'unreachable',
    null,
  ],
  [
    'a body that breaks off',
    (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('[');
      setImmediate(() => response.destroy());
    },
    'unreachable',
    null,
  ],
] as const)('%s is a fault with its outcome', async (_name, answer, outcome, status) => {
  const { client: made, outcomes, clock } = await client(answer);
  await expect(made.get(request, never)).rejects.toMatchObject({ name: 'UpstreamFault', outcome, status });
  expect(outcomes).toEqual([outcome]);
  expect(clock.sleepers).toBe(0);
});

test.each([
  ['no answer', () => undefined],
  [
    'a body without an end',
    (_: unknown, response: ServerResponse) => void response.writeHead(200).write('['),
  ],
])('%s is given up after 10 s by the clock', async (_name, answer) => {
  const { client: made, clock, outcomes } = await client(answer);
  const given = made.get(request, never);
  given.catch(() => {});
  await clock.asleep();
  await clock.advance(9_999);
  expect(outcomes).toEqual([]);
  await clock.advance(1);
  await expect(given).rejects.toMatchObject({ outcome: 'timeout', status: null });
});

test('a caller that gives up hears its own reason, and nothing is counted', async () => {
  const over = new AbortController();
  const {
    client: made,
    outcomes,
    clock,
  } = await client(() => void setImmediate(() => over.abort(new Error('stopped'))));
  await expect(made.get(request, over.signal)).rejects.toThrow('stopped');
  expect(outcomes).toEqual([]);
  expect(clock.sleepers).toBe(0);
});

test.each([
  ['seconds', 429, '7', 7_000],
  ['an HTTP date', 503, new Date(START + 9_000).toUTCString(), 9_000],
  ['far too long a wait, capped at 5 minutes', 429, '86400', 300_000],
  ['nothing, after a 429: 2 s', 429, undefined, 2_000],
])('Retry-After in %s pauses the route, and no other', async (_name, status, retryAfter, waitMs) => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const { client: made, market, clock } = await client(say(status, '{}', headers));
  await expect(made.get(request, never)).rejects.toThrow();
  market.answer = () => [];
  const given = made.get(request, never);
  await made.get({ ...request, path: '/v2/user-stats', purpose: 'facts' }, never);
  await clock.advance(waitMs - 1);
  expect(market.asked).toHaveLength(2);
  await clock.advance(1);
  expect(await given).toMatchObject({ body: [] });
});
