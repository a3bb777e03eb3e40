import { describe, expect, test } from 'vitest';
import { startApi } from '../support/api-server.ts';
import { startWithKey, URL_GIVEN } from '../support/webhook-api.ts';

describe('who may', () => {
  test.each(['free', 'pro'] as const)(
    'design: “tier lacks the feature: 403”; a %s key is refused before its body is read',
    async (tier) => {
      const { issue, send, get } = await startApi();
      const { secret } = await issue({ tier });
      const refused = {
        status: 403,
        body: { detail: `Webhooks need the enterprise tier; this key is ${tier}.` },
      };
      expect(await get('/webhooks', secret)).toMatchObject(refused);
      for (const body of [{ url: URL_GIVEN }, {}, '{{{', 'x'.repeat(70_000)]) {
        expect(await send('POST', '/webhooks', secret, body)).toMatchObject(refused);
      }
      for (const path of ['/webhooks/1', '/webhooks/1/deliveries'])
        expect(await get(path, secret)).toMatchObject(refused);
      for (const [method, path] of [
        ['DELETE', '/webhooks/1'],
        ['PATCH', '/webhooks/1'],
        ['POST', '/webhooks/1/rotate-secret'],
        ['POST', '/webhooks/1/test'],
      ] as const)
        expect(await send(method, path, secret, '{{{')).toMatchObject(refused);
      expect(await send('PUT', '/webhooks', secret)).toMatchObject({ status: 405 });
    },
  );

  test('contract, DELETE /webhooks/{webhook_id}: design “204, 404 when it is not this key’s”', async () => {
    const { post, list, issue, send, get, secret } = await startWithKey();
    const { id } = (await post({ url: URL_GIVEN })).body;
    const other = (await issue({ tier: 'enterprise' })).secret;
    const missing = { status: 404, body: { detail: `Webhook ${id} was not found.` } };
    expect((await get('/webhooks', other)).body).toEqual([]);
    expect(await send('DELETE', `/webhooks/${id}`, other)).toMatchObject(missing);
    expect(await list()).toHaveLength(1);
    expect(await send('DELETE', `/webhooks/${id}`, secret)).toMatchObject({ status: 204, text: '' });
    expect(await send('DELETE', `/webhooks/${id}`, secret, '{{{')).toMatchObject(missing);
    expect(await list()).toEqual([]);
  });

  test('a key has at most 20 webhooks, however many are sent concurrently: 409 says so; the same address counts each time', async () => {
    const { post, list, send, secret } = await startWithKey();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post({ url: URL_GIVEN })));
    const full = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(full).toHaveLength(10);
    expect(full[0]?.body.detail).toMatch(/at most 20 webhooks.*DELETE/);
    const webhooks = await list();
    expect(webhooks).toHaveLength(20);
    await send('DELETE', `/webhooks/${webhooks[0].id}`, secret);
    expect((await post({ url: URL_GIVEN })).status).toBe(201);
  });
});
