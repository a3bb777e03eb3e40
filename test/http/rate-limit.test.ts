import { describe, expect, test } from 'vitest';
import { type Answer, type ApiServer, ask, startApi } from '../support/api-server.ts';

const NAMES = ['limit', 'remaining', 'reset'];
const EXCEEDED = 'Rate limit exceeded.';

function headersOf({ headers }: Answer, prefix = 'ratelimit'): (number | null)[] {
  return NAMES.map((name) => headers.get(`${prefix}-${name}`)).map((value) =>
    value === null ? null : Number(value),
  );
}

async function statusesOf(calls: number, one: () => Promise<Answer>): Promise<string> {
  const counts = new Map<number, number>();
  for (let call = 0; call < calls; call += 1) {
    const { status } = await one();
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}

test('limit, rest and seconds left in both spellings; over the limit: 429, its words, Retry-After in whole seconds until a call is allowed', async () => {
  const { get, issue, clock } = await startApi();
  const { secret } = await issue();
  const me = () => get('/me', secret);
  expect([headersOf(await me()), headersOf(await me(), 'x-ratelimit')]).toEqual([
    [300, 299, 60],
    [300, 298, 60],
  ]);
  await statusesOf(298, me);
  await clock.advance(12_300);
  const refused = await me();
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({ detail: `${EXCEEDED} pro tier: 300 req/min.`, code: 'rate_limited' });
  expect([headersOf(refused), headersOf(refused, 'x-ratelimit')]).toEqual([
    [300, 0, 48],
    [300, 0, 48],
  ]);
  expect(refused.headers.get('retry-after')).toBe('48');
  await clock.advance(47_699);
  expect((await me()).headers.get('retry-after')).toBe('1');
  await clock.advance(1);
  expect((await me()).status).toBe(200);
});

describe('routes that need no key are limited by address', () => {
  const hot = ({ get }: Pick<ApiServer, 'get'>) => get('/hot-markets');

  test('in 60 seconds as many as PUBLIC_REQUESTS_PER_MINUTE says, with the same headers and words', async () => {
    const api = await startApi({ publicRequestsPerMinute: 5 });
    expect(headersOf(await hot(api))).toEqual([5, 4, 60]);
    expect(await statusesOf(5, () => hot(api))).toBe('4 × 200, 1 × 429');
    const refused = await hot(api);
    expect(refused.body).toEqual({ detail: `${EXCEEDED} public routes: 5 req/min.`, code: 'rate_limited' });
    expect([headersOf(refused, 'x-ratelimit'), refused.headers.get('retry-after')]).toEqual([
      [5, 0, 60],
      '60',
    ]);
    await api.clock.advance(60_000);
    expect((await hot(api)).status).toBe(200);
  });

  test('a right key that is sent is limited as that key, not by the address', async () => {
    const api = await startApi({ publicRequestsPerMinute: 5 });
    const [{ secret }, unlimited] = [await api.issue(), await api.issue({ tier: 'enterprise' })];
    expect(await statusesOf(10, () => api.get('/hot-markets', secret))).toBe('10 × 200');
    expect(headersOf(await api.get('/me', secret))).toEqual([300, 289, 60]);
    expect(await statusesOf(310, () => api.get('/hot-markets', unlimited.secret))).toBe('310 × 200');
    expect(headersOf(await hot(api))).toEqual([5, 4, 60]);
  });

  test('without a limit there are no headers; what the operator asks is never limited', async () => {
    const free = await startApi({ publicRequestsPerMinute: null });
    expect(await statusesOf(100, () => hot(free))).toBe('100 × 200');
    expect(headersOf(await hot(free))).toEqual([null, null, null]);
    const { baseUrl } = await startApi({ publicRequestsPerMinute: 5 });
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await statusesOf(10, () => ask(baseUrl + path))).toBe('10 × 200');
  });
});
