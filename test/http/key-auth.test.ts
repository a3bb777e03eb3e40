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
  '/api/v1/events',
  '/api/v1/openapi.json',
  '/feed.json',
  '/feed.xml',
  '/llms.txt',
  '/mcp',
  '/record.json',
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
});

test('callers that hang up while their key is checked leave the queue to others', async () => {
  const { baseUrl, get, issue, hasher } = await startApi();
  const [left, other] = [await issue(), await issue()];
  hasher.hold();
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${left.secret}` };
  const gone = Array.from({ length: 20 }, () =>
    fetch(`${baseUrl}/api/v1/me`, { headers, signal: abort.signal }),
  );
  await expect.poll(() => hasher.verifications).toBe(1);
  abort.abort();
  expect((await Promise.allSettled(gone)).every(({ status }) => status === 'rejected')).toBe(true);
  hasher.release();

  for (const { secret } of [left, other]) expect((await get('/me', secret)).status).toBe(200);
});
