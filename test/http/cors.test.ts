import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';

const PREFLIGHT = {
  origin: 'https://example.org',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

describe('reading from a web page', () => {
  test('every answer of the API may be read by any page, with the headers a client needs', async () => {
    const { baseUrl, issue, get } = await startApi();
    const { secret } = await issue();
    const origin = { origin: 'https://example.org' };
    const answers = [
      await get('/me', secret, origin),
      await get('/me', undefined, origin),
      await get('/alerts?page=x', secret, origin),
      await get('/hot-markets', undefined, origin),
      await get('/openapi.json', undefined, origin),
      await get('/nothing', undefined, origin),
      await get('/alerts/%zz', undefined, origin),
      await ask(`${baseUrl}/llms.txt`, { headers: origin }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 422, 200, 200, 404, 400, 200]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('cross-origin-resource-policy')).toBeNull();
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      const needed = ['ETag', 'Retry-After', 'RateLimit-Remaining', 'X-Request-Id', 'X-Unknown-Parameters'];
      expect(exposed).toEqual(expect.arrayContaining(needed));
    }
  });

  test('no page may do anything but read: what else it asks leave for is refused, and unreadable', async () => {
    const { baseUrl } = await startApi();
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const headers = { ...PREFLIGHT, 'access-control-request-method': method };
      const leave = await ask(`${baseUrl}/api/v1/presets`, { method: 'OPTIONS', headers });
      const done = await ask(`${baseUrl}/api/v1/presets`, { method, headers: { origin: PREFLIGHT.origin } });
      for (const answer of [leave, done])
        expect([method, answer.headers.get('access-control-allow-origin')]).toEqual([method, null]);
      expect(leave.headers.get('access-control-allow-methods')).toBeNull();
    }
  });

  test('what is for the operator is not', async () => {
    const { baseUrl } = await startApi();
    for (const path of ['/metrics', '/healthz', '/readyz', '/nothing']) {
      const { headers } = await ask(baseUrl + path, { headers: { origin: 'https://example.org' } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  test('a preflight that announces the key is answered 204 without one, and may be remembered', async () => {
    const { baseUrl } = await startApi();
    for (const path of ['/alerts/latest', '/alerts/5', '/hot-markets']) {
      const { status, headers, text } = await ask(`${baseUrl}/api/v1${path}`, {
        method: 'OPTIONS',
        headers: PREFLIGHT,
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(headers.get('access-control-allow-headers')?.toLowerCase().split(', ')).toContain(
        'authorization',
      );
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
    }
    const operator = await ask(`${baseUrl}/metrics`, { method: 'OPTIONS', headers: PREFLIGHT });
    expect(operator.headers.get('access-control-allow-origin')).toBeNull();
  });
});
