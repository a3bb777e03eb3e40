import { describe, expect, test } from 'vitest';
import { isNotModified } from '../../src/http/views/ready-answer.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, startApi } from '../support/api-server.ts';

async function startWithAlerts() {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'pro' });
  await api.append(alertOf({ id: 1 }), alertOf({ id: 2 }));
  return { ...api, secret, asked: (path: string, headers = {}) => api.get(path, secret, headers) };
}

describe('ETag and 304', () => {
  test.each([
    ['W/"abc"', true],
    ['"abc"', true],
    ['"other", W/"abc"', true],
    ['W/"a","abc" , "b"', true],
    [' * ', true],
    ['"other"', false],
    ['W/"other"', false],
    ['', false],
    ['abc', false],
    ['W/"abc"x', false],
  ])('who sends If-None-Match: %s has the body of W/"abc": %j', (header, isKnown) => {
    expect(isNotModified({ headers: { 'if-none-match': header } }, 'W/"abc"')).toBe(isKnown);
  });

  test.each(['/alerts/latest', '/hot-markets?period=30d', '/coverage', '/openapi.json'])(
    '%s has a weak tag, and is a 304 without a body to who sends it',
    async (path) => {
      const { asked } = await startWithAlerts();
      const { headers } = await asked(path);
      const etag = headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[\w-]{20,}"$/);
      const again = await asked(path, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('content-type')]).toEqual([304, '', null]);
      for (const name of ['etag', 'cache-control', 'vary'])
        expect(again.headers.get(name)).toBe(headers.get(name));
    },
  );
});

describe('how long an answer may be kept', () => {
  test('the newest alerts are asked for again each time, by their reader alone', async () => {
    const { headers } = await (await startWithAlerts()).asked('/alerts/latest');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('accept-encoding, authorization');
  });

  test('coverage may be shared for moments, documents for minutes', async () => {
    const { get, baseUrl } = await startWithAlerts();
    expect((await get('/coverage')).headers.get('cache-control')).toBe('public, max-age=2');
    for (const path of ['/api/v1/openapi.json', '/llms.txt'])
      expect((await ask(baseUrl + path)).headers.get('cache-control')).toBe('public, max-age=300');
  });

  test('everything else is not kept: other answers with a key, refusals, health', async () => {
    const { asked, get, baseUrl } = await startWithAlerts();
    const paths = ['/me', '/stats', '/alerts', '/alerts/1', '/alerts/99', '/alerts/latest?limit=x'];
    const answers = [
      ...(await Promise.all(paths.map((path) => asked(path)))),
      await get('/me'),
      await get('/hot-markets?limit=x'),
      await ask(`${baseUrl}/healthz`),
      await ask(`${baseUrl}/%zz`),
    ];
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store');
  });
});
