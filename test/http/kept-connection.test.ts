import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApi } from '../support/api-server.ts';

/** Asks `/me` over one connection that stays open; says so when it did not. */
async function startOnOneConnection() {
  const connections: Socket[] = [];
  const api = await startApi({}, (app) => {
    app.server.on('connection', (socket) => connections.push(socket));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const me = async (secret: string): Promise<string> => {
    const { promise: answered, resolve, reject } = Promise.withResolvers<[number, string]>();
    request(`${api.baseUrl}/api/v1/me`, { agent, headers: { authorization: `Bearer ${secret}` } })
      .on('response', async (response) => resolve([response.statusCode ?? 0, await text(response)]))
      .on('error', reject)
      .end();
    const [status, body] = await answered;
    expect(connections).toHaveLength(1);
    return status === 200 ? JSON.parse(body).tier : String(status);
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
