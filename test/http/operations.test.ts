import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';

describe('/healthz and /readyz', () => {
  test('/readyz is 200 with its checks when the service can serve, 503 when it cannot or cannot tell', async () => {
    const checks = { database: 'ok' };
    const answerOf = async (
      readiness: () => Promise<{ ready: boolean; checks: Record<string, unknown> }>,
    ) => {
      const { baseUrl } = await startApi({ readiness });
      const { status, body } = await ask(`${baseUrl}/readyz`);
      return [status, body];
    };
    expect(await answerOf(async () => ({ ready: true, checks }))).toEqual([200, { ready: true, checks }]);
    expect(await answerOf(async () => ({ ready: false, checks }))).toEqual([503, { ready: false, checks }]);
    const broken = () => Promise.reject(new Error('inside'));
    expect(await answerOf(broken)).toEqual([503, { ready: false, checks: {} }]);
  });

  test('the checks are for callers on this machine and with METRICS_TOKEN; others see which ones fail', async () => {
    const checks = {
      database: { ready: true, kind: 'sqlite' },
      source: { ready: false, name: 'tail:/srv/x' },
    };
    const { baseUrl } = await startApi({
      readiness: async () => ({ ready: false, checks }),
      metricsToken: 'a-long-token',
    });
    const bodyFor = async (headers: Record<string, string>) =>
      (await ask(`${baseUrl}/readyz`, { headers })).body;
    const all = { ready: false, checks };
    const few = { ready: false, failing: ['source'] };
    const stranger = { 'x-forwarded-for': '203.0.113.7' };
    expect(await bodyFor({})).toEqual(all);
    expect(await bodyFor(stranger)).toEqual(few);
    expect(await bodyFor({ ...stranger, authorization: 'Bearer a-long-token' })).toEqual(all);
    expect(await bodyFor({ ...stranger, authorization: 'Bearer a-long-toke' })).toEqual(few);
  });
});

describe('/metrics (Failing well)', () => {
  const FORWARDED = { 'x-forwarded-for': '203.0.113.7' };

  test('answers loopback, but not what a proxy on this machine forwards', async () => {
    for (const trustProxy of [false, true]) {
      const { baseUrl } = await startApi({ trustProxy });
      expect(await ask(`${baseUrl}/metrics`)).toMatchObject({ status: 200, text: 'tipoff_up 1\n' });
      const forwarded = await ask(`${baseUrl}/metrics`, { headers: FORWARDED });
      expect([forwarded.status, forwarded.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  test.each([
    ['localhost', 200],
    ['LOCALHOST:8080', 200],
    ['[::1]:8080', 200],
    ['[::ffff:127.0.0.1]:80', 200],
    ['[::FFFF:8.8.8.8]', 401],
    ['tipoff.lan', 200],
    ['api.example.com:443', 200],
    ['evil.example', 401],
    ['127.0.0.1.evil.example', 401],
    ['localhost.evil.example', 401],
    ['[2001:db8::1]', 401],
    ['', 401],
  ])(
    'a request from loopback is of the operator if it names this machine: Host "%s" is answered %i',
    async (host, status) => {
      const { app } = await startApi({ ownHosts: ['tipoff.lan', 'api.example.com'] });
      const { port } = app.server.address() as AddressInfo;
      const answers = async (path: string) =>
        answersIn(await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));
      expect((await answers('/metrics'))[0]?.status).toBe(status);
      const body = JSON.parse((await answers('/readyz'))[0]?.body ?? '');
      expect(Object.keys(body)).toEqual(['ready', status === 200 ? 'checks' : 'failing']);
    },
  );

  test('every answer is labelled with its route, never with the requested address', async () => {
    const told: [string, number][] = [];
    const { get, baseUrl, issue } = await startApi({
      onAnswer: (route, status, durationMs) => {
        expect(durationMs).toBeGreaterThanOrEqual(0);
        told.push([route, status]);
      },
    });
    const { secret } = await issue();
    await get('/alerts/77', secret);
    await get('/alerts/latest?limit=3', secret);
    await get('/me');
    await ask(`${baseUrl}/wp-login.php`);
    await expect
      .poll(() => told)
      .toEqual([
        ['/api/v1/alerts/:id', 404],
        ['/api/v1/alerts/latest', 200],
        ['/api/v1/me', 401],
        ['none', 404],
      ]);
  });
});
