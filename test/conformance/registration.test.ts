import { expect, test } from 'vitest';
import { onRunningService } from './service.ts';

onRunningService('contract, presets', (service) => {
  const preset = { name: 'Big politics', filters: { category: 'politics', min_signal: 60 } };

  test('Body (JSON): preset request fields. Response 200: `id` (string), `name` (string). Response 422 when a required field is missing: see Errors.', async () => {
    const { call, key } = service();
    const { status, body } = await call('/presets', { key: await key('free'), method: 'POST', body: preset });
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.stringMatching(/./), name: 'Big politics' });
  });

  test('Request fields: `name` (string, required), `filters` (object of key/value filter pairs, required), `created_at` (string UTC timestamp, optional, defaults to the current time). Creation returns `id` (string) and `name` (string).', async () => {
    const { call, key } = service();
    const secret = await key('free');
    const post = (body: unknown) => call('/presets', { key: secret, method: 'POST', body });
    const { id } = (await post(preset)).body;
    expect((await call(`/presets/${id}`, { key: secret })).body).toEqual({
      id,
      ...preset,
      created_at: '2026-01-02 12:00:00',
      has_feed: false,
    });
    const given = (await post({ ...preset, created_at: '2025-05-06T07:08:09' })).body;
    expect((await call(`/presets/${given.id}`, { key: secret })).body.created_at).toBe('2025-05-06 07:08:09');
    for (const wrong of [
      { ...preset, name: 7 },
      { ...preset, filters: [] },
      { ...preset, created_at: 'now' },
    ])
      expect((await post(wrong)).status).toBe(422);
  });

  test('For a missing name, `loc` is body then name, `msg` says the field is required, and `type` is a missing-value type.', async () => {
    const { call, key } = service();
    const secret = await key('free');
    const post = (body: unknown) => call('/presets', { key: secret, method: 'POST', body });
    const missing = (field: string) => ({ loc: ['body', field], msg: 'Field required', type: 'missing' });
    const { status, body } = await post({ filters: {} });
    const code = expect.any(String);
    expect([status, body]).toEqual([422, { detail: [missing('name')], code }]);
    expect((await post({ name: 'x' })).body).toEqual({ detail: [missing('filters')], code });
    expect((await post({})).body).toEqual({ detail: [missing('name'), missing('filters')], code });
  });
});

onRunningService('contract, webhooks', (service) => {
  const url = 'https://hooks.example.com/tipoff';

  test('Request fields: `url` (string, required, HTTPS only), `categories` (string, optional, comma-separated category values; when omitted, every category is sent), `min_signal` (integer 0 to 100, optional, alerts with score equal or above are sent). Creation returns `id` (string) and `url` (string).', async () => {
    const { call, key } = service();
    const secret = await key('enterprise');
    const post = (body: unknown) => call('/webhooks', { key: secret, method: 'POST', body });
    const { status, body } = await post({ url, categories: 'politics,crypto', min_signal: 70 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/./), url });
    expect((await post({ url: `${url}/all` })).status).toBe(201);
    const wrong = [
      {},
      { url: 7 },
      { url, categories: 'sports' },
      { url, min_signal: 101 },
      { url, min_signal: -1 },
    ];
    for (const given of wrong) expect((await post(given)).status).toBe(422);
  });

  test('Only HTTPS addresses are supported.', async () => {
    const { call, key } = service();
    const secret = await key('enterprise');
    for (const address of [
      'http://hooks.example.com/',
      'ftp://hooks.example.com/',
      'hooks.example.com',
      '',
    ]) {
      const { status, body } = await call('/webhooks', {
        key: secret,
        method: 'POST',
        body: { url: address },
      });
      expect([address, status, body.detail[0].loc]).toEqual([address, 422, ['body', 'url']]);
    }
  });

  test('Lists the webhooks active on the calling key.', async () => {
    const { call, key } = service();
    const [mine, other] = [await key('enterprise'), await key('enterprise')];
    const { id } = (await call('/webhooks', { key: mine, method: 'POST', body: { url, min_signal: 5 } }))
      .body;
    expect((await call('/webhooks', { key: mine })).body).toMatchObject([
      { id, url, categories: null, min_signal: 5 },
    ]);
    expect((await call('/webhooks', { key: other })).body).toEqual([]);
  });

  test('Removes the webhook so that deliveries stop.', async () => {
    const { call, key } = service();
    const [mine, other] = [await key('enterprise'), await key('enterprise')];
    const { id } = (await call('/webhooks', { key: mine, method: 'POST', body: { url } })).body;
    const remove = (secret: string) => call(`/webhooks/${id}`, { key: secret, method: 'DELETE' });
    expect((await remove(other)).status).toBe(404);
    expect((await remove(mine)).status).toBe(204);
    expect((await remove(mine)).status).toBe(404);
    expect((await call('/webhooks', { key: mine })).body).toEqual([]);
  });

  test.each(['free', 'pro'] as const)('| Webhook delivery | no | no | yes | %s', async (tier) => {
    const { call, key } = service();
    const secret = await key(tier);
    for (const [method, path] of [
      ['POST', '/webhooks'],
      ['GET', '/webhooks'],
      ['DELETE', '/webhooks/wh_1'],
    ] as const) {
      const { status, body } = await call(path, { key: secret, method });
      const refused = { detail: expect.stringContaining(tier), code: expect.any(String) };
      expect([method, status, body]).toEqual([method, 403, refused]);
    }
  });
});
