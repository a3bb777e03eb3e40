import { once } from 'node:events';
import { Client } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { FirstUses } from '../../src/core/chat/key-notices.ts';
import { type ApiServer, startApi } from '../support/api-server.ts';
import { openCustomerFixture, visitorOf } from '../support/customer-fixture.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** A server, and a customer with a pro key at it. */
async function open(api?: ApiServer) {
  const server = api ?? (await startApi());
  const fixture = openCustomerFixture(server.database, {}, server.clock);
  const { id } = await fixture.service.visit(visitorOf());
  const given = await fixture.give({ customerId: id, tier: 'pro', request: 'tap' });
  return { server, ...fixture, id, ...given };
}

async function rotated({ service, id, key }: Awaited<ReturnType<typeof open>>, keepOld: boolean) {
  const result = await service.keys.rotate({ customerId: id, keyId: key.id, keepOld, request: 'rotate' });
  if (!result.ok) throw new Error(result.reason);
  return result.secret;
}

async function connect({ baseUrl }: ApiServer, secret: string) {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws/alerts?api_key=${secret}`);
  onTestFinished(() => socket.terminate());
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'message');
  return { socket, closed };
}

test('a former secret on a kept connection works until its 24 hours are over, and ends to the millisecond', async () => {
  const world = await open();
  const { server, clock, secret } = world;
  await rotated(world, true);
  const connection = new Client(server.baseUrl);
  onTestFinished(() => connection.destroy());
  let connections = 0;
  server.app.server.on('connection', () => {
    connections += 1;
  });
  const statusOfMe = async () => {
    const headers = { authorization: `Bearer ${secret}` };
    const { statusCode, body } = await connection.request({ method: 'GET', path: '/api/v1/me', headers });
    await body.dump();
    return statusCode;
  };

  // Its row is read within the last 4 s of the 24 hours: what the connection remembers must not outlive the secret.
  await clock.advance(DAY_MS - 3_000);
  const early = await statusOfMe();
  await clock.advance(2_999);
  const last = await statusOfMe();
  await clock.advance(1);

  expect([early, last, await statusOfMe()]).toEqual([200, 200, 401]);
  expect(connections).toBe(1);
});

test('a socket lives as long as the secret it came with: 4401 within 5 s, or when the 24 hours are over', async () => {
  const world = await open();
  const { server, clock, secret } = world;
  const old = await connect(server, secret);
  const middle = await rotated(world, true);
  const kept = await connect(server, secret);
  const fresh = await connect(server, middle);
  await clock.advance(1_000);
  expect([old, kept, fresh].map(({ socket }) => socket.readyState)).toEqual([1, 1, 1]);

  await world.service.keys.confirmShown(world.key.id, 'rotate');
  const last = await world.service.keys.rotate({
    customerId: world.id,
    keyId: world.key.id,
    keepOld: true,
    request: 'again',
  });
  await clock.advance(4_500);

  expect(await Promise.all([old.closed, kept.closed])).toEqual([4401, 4401]);
  expect(fresh.socket.readyState).toBe(1);
  const newest = await connect(server, last.ok ? last.secret : '');
  await clock.advance(1_000);
  expect([fresh.socket.readyState, newest.socket.readyState]).toEqual([1, 1]);
});

test('agreed limits of an enterprise key are those of /me and of a 429', async () => {
  const server = await startApi();
  const { service } = openCustomerFixture(server.database, {}, server.clock);
  const limits = { requestsPerMinute: 4, maxSockets: 1 };
  const given = await service.keys.provision({ customerId: null, name: 'Fund', limits });
  const secret = given.ok ? given.secret : '';

  expect((await server.get('/me', secret)).body).toMatchObject({ tier: 'enterprise', rate_limit: '4/min' });
  await connect(server, secret);
  const second = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/ws/alerts?api_key=${secret}`);
  const [error] = (await once(second, 'error')) as [Error];
  expect(error.message).toContain('429');
  expect((await server.get('/me', secret)).status).toBe(200);
  const refused = await server.get('/me', secret);
  expect([refused.status, refused.body]).toEqual([
    429,
    { detail: 'Rate limit exceeded. enterprise tier: 4 req/min.', code: 'rate_limited' },
  ]);
  await service.keys.service.setTier(given.ok ? given.key.id : '', 'pro');
  await server.clock.advance(4_000);
  expect((await server.get('/me', secret)).body).toMatchObject({ rate_limit: '300/min' });
});

test('the first call of a customer’s key is reported once, message first, and survives an outbox that is away', async () => {
  const told: NewChatMessage[] = [];
  let isAway = true;
  const uses: FirstUses[] = [];
  const server = await startApi({ onFirstUse: (key) => uses[0]?.note(key) });
  const outbox = {
    async add(messages: readonly NewChatMessage[]) {
      if (isAway) throw new Error('away');
      told.push(...messages);
      return messages.map(({ id }) => id);
    },
  };
  const { clock, database } = server;
  const first = new FirstUses({ keys: database.keys, outbox, clock, logger: silentLogger });
  uses.push(first);
  const { secret, key } = await open(server);
  const { secret: plain } = await server.issue();
  const usedAt = clock.now();

  await server.get('/me', plain);
  await server.get('/me', `${secret.slice(0, -2)}xx`);
  await first.flush();
  expect(told).toEqual([]);
  await server.get('/me', secret);
  await first.flush();
  expect((await database.keys.byId(key.id))?.firstUsedAt).toBeNull();
  isAway = false;
  await clock.advance(1_000);
  for (let second = 0; second < 3; second += 1) {
    await server.get('/me', secret);
    await first.flush();
  }

  expect(told).toMatchObject([
    { id: `key_first_used:${key.id}`, recipient: `key:${key.id}`, facts: { keyId: key.id, name: 'Key 1' } },
  ]);
  expect((await database.keys.byId(key.id))?.firstUsedAt).toBe(usedAt);
});
