import { Client } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApi } from '../support/api-server.ts';

/** Asks `/me` over one connection that stays open; fails when it did not. */
async function startOnOneConnection() {
  let connections = 0;
  const api = await startApi();
  api.app.server.on('connection', () => {
    connections += 1;
  });
  const client = new Client(api.baseUrl);
  onTestFinished(() => client.destroy());
  const me = async (secret: string): Promise<string> => {
    const headers = { authorization: `Bearer ${secret}` };
    const { statusCode, body } = await client.request({ method: 'GET', path: '/api/v1/me', headers });
    const answer = (await body.json()) as { tier: string };
    expect(connections).toBe(1);
    return statusCode === 200 ? answer.tier : String(statusCode);
  };
  return { ...api, me };
}

/** Each asks often enough for the connection to be known all the time. */
describe('on a connection that stays open (key check: "within 5 s")', () => {
  async function untilChanged(step: () => Promise<string>, clock: { advance(ms: number): Promise<void> }) {
    const before = await step();
    for (let waitedMs = 0; waitedMs <= 6_000; waitedMs += 100) {
      if ((await step()) !== before) return waitedMs;
      await clock.advance(100);
    }
    throw new Error('nothing changed');
  }

  test('a revocation is seen', async () => {
    const { me, issue, service, clock } = await startOnOneConnection();
    const { id, secret } = await issue();
    expect(await me(secret)).toBe('pro');
    await service.revoke(id);
    expect(await untilChanged(() => me(secret), clock)).toBeLessThanOrEqual(5_000);
    expect(await me(secret)).toBe('401');
  });

  test('another key is another caller, and a wrong one is refused, regardless of earlier callers', async () => {
    const { me, issue } = await startOnOneConnection();
    const [pro, enterprise] = [await issue(), await issue({ tier: 'enterprise' })];
    const given = [pro.secret, enterprise.secret, `${pro.secret.slice(0, -1)}_`, 'x', pro.secret];
    const seen = [];
    for (const secret of given) seen.push(await me(secret));
    expect(seen).toEqual(['pro', 'enterprise', '401', '401', 'pro']);
  });
});
