import { describe, expect, test } from 'vitest';
import type { Tier } from '../../src/core/accounts/tier.ts';
import { ask, startApi } from '../support/api-server.ts';
import { forgedKey } from '../support/key-fixture.ts';

const HOOK = 'https://example.com/hook';

/**
 * What is open on purpose, and the stream, which takes its key elsewhere (test/http/stream). Any other route that is
 * added must not be entered without a key.
 */
const OPEN = [
  '/api/v1/asyncapi.json',
  '/api/v1/coverage',
  '/api/v1/hot-markets',
  '/api/v1/log/head',
  '/api/v1/openapi.json',
  '/log',
  '/log/:month.jsonl',
  '/log/:month.jsonl.sha256',
  '/docs',
  '/docs/errors',
  '/docs/scalar.js',
  '/feed.json',
  '/feed.xml',
  '/llms.txt',
  '/record.csv',
  '/record.json',
  '/sandbox/alerts.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/ws/alerts',
];

const ADDRESS = `0x${'1'.repeat(40)}`;

async function startWithRoutes() {
  const api = await startApi();
  const routes = api.app.routeTable
    .filter(({ url }) => !OPEN.includes(url))
    .map(({ method, url }) => ({
      method,
      url: api.baseUrl + url.replace(':address', ADDRESS).replaceAll(/:\w+/g, '1'),
    }));
  return { ...api, routes };
}

function bodyFor(method: string, path: string) {
  if (method === 'PATCH') return { body: JSON.stringify({ paused: true }) };
  if (method !== 'POST' && method !== 'PUT') return {};
  return { body: JSON.stringify(path.includes('presets') ? { name: 'x', filters: {} } : { url: HOOK }) };
}

/** What a right key is answered: webhooks are of the enterprise tier, and nothing has the id 1. */
function statusOf(method: string, path: string, tier: Tier): number {
  if (path.startsWith('/api/v1/webhooks') && tier !== 'enterprise') return 403;
  if (/\/(?:0x)?1+(\/|$)/.test(path)) return 404;
  return method === 'POST' && path.endsWith('/webhooks') ? 201 : 200;
}

describe('contract, Endpoints: all calls except /hot-markets need a key', () => {
  test('the route table holds the routes of the contract', async () => {
    const { app } = await startApi();
    const gets = app.routeTable.filter(({ method }) => method === 'GET').map(({ url }) => url);
    expect(gets.toSorted()).toEqual(
      [
        ...OPEN,
        '/api/v1/alerts',
        '/api/v1/alerts/:id',
        '/api/v1/alerts/latest',
        '/api/v1/alerts/preview',
        '/api/v1/log',
        '/api/v1/markets/:market_id',
        '/api/v1/me',
        '/api/v1/outcomes',
        '/api/v1/outcomes/:number',
        '/api/v1/presets',
        '/api/v1/presets/:id',
        '/api/v1/record',
        '/api/v1/stats',
        '/api/v1/wallets/:address',
        '/api/v1/webhooks',
        '/api/v1/webhooks/:webhook_id',
        '/api/v1/webhooks/:webhook_id/deliveries',
      ].toSorted(),
    );
  });

  test('every other route answers 401 with WWW-Authenticate to a missing, malformed, unknown, wrong or revoked key', async () => {
    const { routes, issue, service, clock } = await startWithRoutes();
    const [live, revoked] = [await issue(), await issue()];
    await service.revoke(revoked.id);
    const wrong = [
      {},
      { authorization: 'Basic dXNlcjpwYXNz' },
      { authorization: live.secret },
      ...['', 'x', forgedKey(), forgedKey(live.secret), `${live.secret}x`, revoked.secret].map((key) => ({
        authorization: `Bearer ${key}`,
      })),
    ];
    expect(routes.length).toBeGreaterThanOrEqual(5);
    for (const { method, url } of routes) {
      await clock.advance(61_000);
      const texts = new Set<string>();
      for (const headers of wrong) {
        const answer = await ask(url, { method, headers: headers as Record<string, string> });
        expect([method, url, answer.status]).toEqual([method, url, 401]);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(answer.headers.get('x-request-id')).toMatch(/^\S+$/);
        if (method !== 'HEAD') texts.add(answer.body.detail);
      }
      // One text for a wrong key, one for none.
      if (method !== 'HEAD')
        expect([...texts].toSorted()).toEqual([expect.any(String), 'Invalid API key.'].toSorted());
    }
  });

  test('every one of them lets a right key of any tier in', async () => {
    const { routes, issue, baseUrl } = await startWithRoutes();
    for (const tier of ['free', 'pro', 'enterprise'] as const) {
      const { secret } = await issue({ tier });
      for (const { method, url } of routes) {
        const path = url.slice(baseUrl.length);
        const { status } = await ask(url, {
          method,
          headers: { authorization: `bearer  ${secret}`, 'content-type': 'application/json' },
          ...bodyFor(method, path),
        });
        expect([method, path, status]).toEqual([method, path, statusOf(method, path, tier)]);
      }
    }
  });

  test('/hot-markets, /healthz and /readyz need none', async () => {
    const { baseUrl } = await startApi();
    for (const path of ['/api/v1/hot-markets', '/healthz', '/readyz']) {
      expect((await ask(baseUrl + path)).status).toBe(200);
    }
  });
});

describe('missing or wrong key', () => {
  test('10,000 requests with unknown keys run argon2 zero times and are answered 401 or 429', async () => {
    const { app, hasher, issue } = await startApi();
    await issue();
    const statuses = new Map<number, number>();
    // Without sockets, which would cost more than what is tested.
    const one = async () => {
      const headers = { host: 'tipoff', authorization: `Bearer ${forgedKey()}` };
      const { statusCode } = await app.inject({ url: '/api/v1/me', headers });
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    };
    for (let round = 0; round < 100; round += 1) await Promise.all(Array.from({ length: 100 }, one));
    expect(hasher.verifications).toBe(0);
    expect([...statuses].toSorted()).toEqual([
      [401, 60],
      [429, 9_940],
    ]);
  });

  test('a known lookup part with a wrong rest: argon2 bounded, 429 with Retry-After after 60 failures, the right key works', async () => {
    const { get, hasher, issue } = await startApi();
    const { secret } = await issue();
    expect((await get('/me', secret)).status).toBe(200);
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => get('/me', forgedKey(secret))));
      for (const { status, headers, body } of answers) {
        statuses.push(status);
        if (status !== 429) continue;
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(body.detail).toMatch(/Too many failed attempts/);
      }
      expect((await get('/me', secret)).status).toBe(200);
    }
    expect(statuses.slice(0, 60)).toEqual(new Array(60).fill(401));
    expect(statuses.slice(60)).toEqual(new Array(40).fill(429));
    expect(hasher.mostAtOnce).toBe(1);
  });

  test('failures are counted by the address a trusted proxy names, not by that of the proxy', async () => {
    const { get } = await startApi({ trustProxy: 1 });
    const from = (address: string) =>
      get('/me', forgedKey(), { 'x-forwarded-for': `203.0.113.7, ${address}` });
    for (let count = 0; count < 60; count += 1) await from('192.0.2.1');
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(401);
  });

  test('one host’s /64 of IPv6 counts as one address, another host’s as another', async () => {
    const { get } = await startApi({ trustProxy: 1 });
    const from = (address: string) => get('/me', forgedKey(), { 'x-forwarded-for': address });
    for (let count = 0; count < 60; count += 1) await from(`2001:db8:0:7::${count.toString(16)}`);
    expect((await from('2001:db8:0:7:ffff:ffff:0:1')).status).toBe(429);
    expect((await from('2001:db8:0:8::1')).status).toBe(401);
    expect((await from('2001:db8::7')).status).toBe(401);
  });

  test('without a trusted proxy the header changes nothing', async () => {
    const { get } = await startApi();
    for (let count = 0; count < 60; count += 1) {
      await get('/me', forgedKey(), { 'x-forwarded-for': `192.0.2.${count}` });
    }
    expect((await get('/me', forgedKey(), { 'x-forwarded-for': '192.0.2.200' })).status).toBe(429);
  });
});

describe('key check', () => {
  test('a revocation is seen within 5 s', async () => {
    const { get, issue, service, clock } = await startApi();
    const { id, secret } = await issue();
    expect((await get('/me', secret)).status).toBe(200);
    await service.revoke(id);
    await clock.advance(5_000);
    expect((await get('/me', secret)).status).toBe(401);
  });

  test('contract, States: a trial that ends makes the key free at that instant; it keeps working', async () => {
    const { get, issue, clock } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await clock.advance(30 * 86_400_000 - 1);
    expect((await get('/me', secret)).body).toMatchObject({ tier: 'pro', rate_limit: '300/min' });
    await clock.advance(1);
    const { status, body } = await get('/me', secret);
    expect([status, body.tier, body.rate_limit, body.realtime]).toEqual([200, 'free', '60/min', false]);
  });

  test('keys that cannot be looked up are answered 503 with Retry-After', async () => {
    const away = { ok: false, reason: 'unavailable', retryAfterSeconds: 2 } as const;
    const { get } = await startApi({
      keyCheck: { recall: () => null, holds: () => false, check: async () => away },
    });
    const { status, headers, body } = await get('/me', forgedKey());
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(body.detail).toEqual(expect.any(String));
  });
});
