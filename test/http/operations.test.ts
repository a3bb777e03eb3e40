import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';

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

  test('the details of a check are for callers on this machine; others see how it stands', async () => {
    const doctor = {
      ready: true,
      state: 'warn',
      details: { summary: '11 pass, 1 warn (wallet dates 55 %)' },
    };
    const { baseUrl } = await startApi({
      readiness: async () => ({ ready: true, checks: { doctor, a: 1 } }),
    });
    const bodyFor = async (headers: Record<string, string>) =>
      (await ask(`${baseUrl}/readyz`, { headers })).body;
    expect(await bodyFor({})).toEqual({ ready: true, checks: { doctor, a: 1 } });
    expect(await bodyFor({ 'x-forwarded-for': '203.0.113.7' })).toEqual({
      ready: true,
      checks: { doctor: { ready: true, state: 'warn' }, a: 1 },
    });
  });

  test('/healthz says that the process runs, whatever is not ready', async () => {
    const { baseUrl } = await startApi({ readiness: async () => ({ ready: false, checks: {} }) });
    expect(await ask(`${baseUrl}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
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

  test('answers others with METRICS_TOKEN only', async () => {
    const { baseUrl } = await startApi({ metricsToken: 'a-long-token' });
    const statusOf = async (authorization: string) =>
      (await ask(`${baseUrl}/metrics`, { headers: { ...FORWARDED, authorization } })).status;
    expect(await statusOf('Bearer a-long-token')).toBe(200);
    expect(await statusOf('Bearer a-long-toke')).toBe(401);
    expect(await statusOf('a-long-token')).toBe(401);
  });

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
