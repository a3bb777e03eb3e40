import { expect, test } from 'vitest';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { FirstUses } from '../../src/core/chat/key-notices.ts';
import { startApi } from '../support/api-server.ts';
import { openCustomerFixture, visitorOf } from '../support/customer-fixture.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { connectStream, refusedStream } from '../support/stream-client.ts';

test('agreed limits of an enterprise key are those of /me and of a 429', async () => {
  const server = await startApi();
  const { service } = openCustomerFixture(server.database, {}, server.clock);
  const limits = { requestsPerMinute: 4, maxSockets: 1 };
  const given = await service.keys.provision({ customerId: null, name: 'Fund', limits });
  const secret = given.ok ? given.secret : '';

  expect((await server.get('/me', secret)).body).toMatchObject({ tier: 'enterprise', rate_limit: '4/min' });
  await connectStream(server.baseUrl, `api_key=${secret}`).received(1);
  const { status, body } = await refusedStream(server.baseUrl, `api_key=${secret}`);
  expect([status, body.code]).toEqual([429, 'too_many_sockets']);
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
  const { service, give } = openCustomerFixture(database, {}, clock);
  const { id } = await service.visit(visitorOf());
  const { secret, key } = await give({ customerId: id, tier: 'pro', request: 'tap' });
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
