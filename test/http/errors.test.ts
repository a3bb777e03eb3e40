import { describe, expect, test } from 'vitest';
import { Figures } from '../../src/core/alerts/figures/figures.ts';
import type { ErrorCode } from '../../src/http/schemas/error-codes.ts';
import { ERRORS } from '../../src/http/schemas/error-table.ts';
import { ask, startApi } from '../support/api-server.ts';
import { problem } from '../support/problem.ts';

async function startWithKey(...given: Parameters<typeof startApi>) {
  const api = await startApi(...given);
  const { secret } = await api.issue({ tier: 'enterprise' });
  return { ...api, secret, asked: (path: string) => api.get(path, secret) };
}

describe('invalid query values (contract, Errors; invalid values)', () => {
  test.each([
    ['/alerts/latest?limit=abc', 'limit', 'int_parsing'],
    ['/alerts/latest?limit=0x10', 'limit', 'int_parsing'],
    ['/alerts/latest?limit=99999999999999999999', 'limit', 'less_than_equal'],
    [`/alerts/latest?limit=${'9'.repeat(400)}`, 'limit', 'less_than_equal'],
    [`/alerts?page=-${'9'.repeat(400)}`, 'page', 'greater_than_equal'],
    ['/alerts/latest?limit=1&limit=2', 'limit', 'value_error'],
    ['/alerts?since=2026-01-02T00:00:00&until=2026-01-01T00:00:00', 'until', 'value_error'],
    ['/alerts?min_usdc=much', 'min_usdc', 'float_parsing'],
    ['/alerts?min_usdc=NaN', 'min_usdc', 'float_parsing'],
    ['/alerts?min_usdc=1e999', 'min_usdc', 'finite_number'],
    ['/alerts?since=yesterday', 'since', 'datetime_parsing'],
    ['/alerts?until=2026-02-30T00:00:00Z', 'until', 'datetime_parsing'],
    ['/alerts?resolved=maybe', 'resolved', 'bool_parsing'],
    [`/alerts?search=${'x'.repeat(201)}`, 'search', 'string_too_long'],
  ])('%s is a 422 at %s of type %s', async (path, name, type) => {
    const { asked } = await startWithKey();
    const { status, body } = await asked(path);
    expect(status).toBe(422);
    expect(body).toEqual(problem(['query', name], type));
  });

  test('every wrong value is named', async () => {
    const { asked } = await startWithKey();
    const { body } = await asked('/alerts?page=x&side=up&min_signal=7');
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
      ['query', 'page'],
      ['query', 'side'],
    ]);
  });
});

test('no route has an error without a code of its status, whatever key it is asked with', async () => {
  const { app, baseUrl, issue } = await startApi({ publicRequestsPerMinute: null });
  const keys = [await issue({ tier: 'enterprise' }), await issue({ tier: 'free' }), { secret: 'wrong' }];
  const seen = new Set<string>();
  for (const { method, url } of app.routeTable.filter((route) => route.method !== 'HEAD')) {
    const path = `${baseUrl}${url.replaceAll(/:\w+/g, '1')}?limit=x&page=x&period=x&after=x&through=x`;
    for (const { secret } of keys) {
      const answer = await ask(path, { method, headers: { authorization: `Bearer ${secret}` } });
      if (answer.status < 400) continue;
      const code: ErrorCode = answer.body.code;
      expect([url, ERRORS[code].status]).toEqual([url, answer.status]);
      expect(Object.keys(answer.body)).toEqual(['detail', 'code']);
      expect(answer.headers.get('link')).toContain(`</docs/errors#${code}>; rel="help"`);
      seen.add(code);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['key_invalid', 'invalid_request', 'tier_required']));
});

describe('whatever else goes wrong', () => {
  async function failingStats(fault: Error): Promise<Figures> {
    const { database, clock } = await startApi();
    const alerts = { ...database.alerts, stats: () => Promise.reject(fault) };
    return new Figures({ alerts, clock });
  }

  test('an unknown path is a 404 that names /docs, and the path that was meant if the prefix was forgotten', async () => {
    const { baseUrl } = await startApi();
    const detailOf = async (path: string) => (await ask(baseUrl + path)).body.detail as string;
    for (const path of ['/', '/nothing', '/api/v1/nothing', '/api/v2/alerts'])
      expect(await detailOf(path)).toBe('Not found. /docs describes every path.');
    expect(await detailOf('/alerts')).toContain('The path is /api/v1/alerts;');
    expect(await detailOf('/alerts/%3Cb%3E/?x=1')).toContain('The path is /api/v1/alerts/{id};');
  });

  test('a wrong method is a 405 that names the right ones', async () => {
    const { baseUrl, secret } = await startWithKey();
    const headers = { authorization: `Bearer ${secret}` };
    for (const path of ['/api/v1/alerts', '/api/v1/alerts/5', '/healthz']) {
      const answer = await ask(baseUrl + path, { method: 'DELETE', headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.body).toEqual({ detail: 'Method not allowed.', code: 'method_not_allowed' });
    }
  });

  test('every answer bears a request id of its own, or the caller’s when it is a sensible one', async () => {
    const { baseUrl, get, secret } = await startWithKey();
    const paths = ['/healthz', '/nothing', '/%zz', '/api/v1/me', '/api/v1/alerts/latest?limit=x'];
    const given = await Promise.all(
      paths.map(async (path) => (await ask(baseUrl + path)).headers.get('x-request-id')),
    );
    expect(new Set(given).size).toBe(paths.length);
    for (const id of given) expect(id).toMatch(/^[\w-]{8,}$/);
    const idOf = async (id: string) =>
      (await get('/me', secret, { 'x-request-id': id })).headers.get('x-request-id');
    for (const id of ['7', '_a.B-9', 'x'.repeat(64)]) expect(await idOf(id)).toBe(id);
    for (const id of ['', 'has "quotes" in it', 'a/b', 'x'.repeat(65), secret, `key-${secret}`])
      expect(await idOf(id)).not.toBe(id);
  });

  test('a body does not matter where no route wants it', async () => {
    const { baseUrl } = await startWithKey();
    const post = (path: string, type: string, body: string) =>
      fetch(`${baseUrl}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('/api/v1/nowhere', 'application/json', '{{{')).status).toBe(404);
    expect((await post('/api/v1/alerts', 'application/json', '{{{')).status).toBe(405);
    expect((await post('/api/v1/alerts', 'text/x', 'x'.repeat(70_000))).status).toBe(405);
  });

  test.each([new Error('secret detail of the inside'), new SyntaxError('secret detail of a row')])(
    '%s is a 500 that says nothing of the inside; the log has it with the request id',
    async (fault) => {
      const lines: object[] = [];
      const logger = {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (fields: object) => void lines.push(fields),
      };
      const { asked } = await startWithKey({
        figures: await failingStats(fault),
        logger,
        isOutage: () => false,
      });
      const { status, headers, text } = await asked('/stats');
      expect(status).toBe(500);
      expect(JSON.parse(text)).toEqual({ detail: 'Internal server error.', code: 'internal_error' });
      expect(lines).toEqual([
        { err: fault, requestId: headers.get('x-request-id'), method: 'GET', route: '/api/v1/stats' },
      ]);
    },
  );

  test('a fault that means the database is away is a 503 with Retry-After', async () => {
    const figures = await failingStats(new Error('away'));
    const { asked } = await startWithKey({ figures, isOutage: () => true });
    const { status, headers } = await asked('/stats');
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  });
});
