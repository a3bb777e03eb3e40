import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { ask, startApi } from '../support/api-server.ts';

async function startWithAlerts() {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'pro' });
  await api.append(alertOf({ id: 1 }), alertOf({ id: 2 }));
  return { ...api, secret, asked: (path: string, headers = {}) => api.get(path, secret, headers) };
}

const PATHS = ['/alerts/latest', '/hot-markets?period=30d', '/coverage', '/openapi.json'];

describe('ETag and 304', () => {
  test.each(PATHS)('%s has a weak tag that stays while the answer does', async (path) => {
    const { asked } = await startWithAlerts();
    const [first, second] = [await asked(path), await asked(path)];
    expect(first.headers.get('etag')).toMatch(/^W\/"[\w-]{20,}"$/);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  test.each(PATHS)(
    '%s is a 304 without a body for who has it: its tag, one of a list, strong or weak, *',
    async (path) => {
      const { asked } = await startWithAlerts();
      const { headers } = await asked(path);
      const etag = headers.get('etag') ?? '';
      for (const known of [
        etag,
        etag.slice(2),
        `"other", ${etag}`,
        `W/"a",${etag.slice(2)} , "b"`,
        '*',
        ' * ',
      ]) {
        const answer = await asked(path, { 'if-none-match': known });
        expect([known, answer.status, answer.text]).toEqual([known, 304, '']);
        for (const name of ['etag', 'cache-control', 'vary']) {
          expect(answer.headers.get(name)).toBe(headers.get(name));
        }
        expect(answer.headers.get('content-type')).toBeNull();
      }
      for (const other of ['"other"', 'W/"other"', '', etag.slice(3, -1), `${etag}x`]) {
        expect((await asked(path, { 'if-none-match': other })).status).toBe(200);
      }
    },
  );

  test('what is new has another tag, and so has another answer', async () => {
    const { asked, append, clock } = await startWithAlerts();
    for (const path of ['/alerts/latest', '/hot-markets?period=30d']) {
      const tagOf = async (query = '') => (await asked(path + query)).headers.get('etag');
      const before = await tagOf();
      await append(alertOf({ id: path === '/alerts/latest' ? 3 : 4 }));
      // Figures may be up to 10 s old.
      await clock.advance(10_001);
      expect(await tagOf()).not.toBe(before);
    }
    const one = await asked('/alerts/latest?limit=1');
    const two = await asked('/alerts/latest?limit=2');
    expect(one.headers.get('etag')).not.toBe(two.headers.get('etag'));
  });

  test('a tag gives no access', async () => {
    const { get } = await startWithAlerts();
    expect((await get('/alerts/latest', undefined, { 'if-none-match': '*' })).status).toBe(401);
  });
});

describe('how long an answer may be kept', () => {
  test('the newest alerts are asked for again each time, by their reader alone', async () => {
    const { asked } = await startWithAlerts();
    const { headers } = await asked('/alerts/latest');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('accept-encoding, authorization');
  });

  test('hot markets without a key may be shared for moments, documents for minutes', async () => {
    const { asked, get, baseUrl } = await startWithAlerts();
    for (const path of ['/hot-markets', '/coverage'])
      expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=2');
    expect((await asked('/hot-markets')).headers.get('cache-control')).toBe('private, max-age=2');
    for (const path of ['/api/v1/openapi.json', '/llms.txt', '/docs', '/docs/scalar.js']) {
      expect((await ask(baseUrl + path)).headers.get('cache-control')).toBe('public, max-age=300');
    }
  });

  test('everything else is not kept: other answers with a key, refusals, health', async () => {
    const { asked, get, baseUrl } = await startWithAlerts();
    const answers = [
      ...(await Promise.all(
        ['/me', '/stats', '/alerts', '/alerts/1', '/alerts/99', '/alerts/latest?limit=x'].map((path) =>
          asked(path),
        ),
      )),
      await get('/me'),
      await get('/hot-markets?limit=x'),
      await ask(`${baseUrl}/healthz`),
      await ask(`${baseUrl}/%zz`),
    ];
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});
