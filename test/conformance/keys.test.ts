import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { onRunningService } from './service.ts';

const TIERS = ['free', 'pro', 'enterprise'] as const;
const HOUR = 3_600_000;

onRunningService('contract, GET /me', (service) => {
  const rows: [sentence: string, field: string, values: readonly [unknown, unknown, unknown]][] = [
    [
      '| name | string | Custom label of the key. |',
      'name',
      ['My free bot', 'My pro bot', 'My enterprise bot'],
    ],
    ['There are three tiers: `free`, `pro`, `enterprise`.', 'tier', ['free', 'pro', 'enterprise']],
    [
      '| rate_limit | string | Cap of the key, written like `<n>/min`. |',
      'rate_limit',
      ['60/min', '300/min', 'unlimited'],
    ],
    ['| websocket | boolean | True when the stream is allowed. |', 'websocket', [false, true, true]],
    ['| webhooks | boolean | True when webhook registration is allowed. |', 'webhooks', [false, false, true]],
    ['| realtime | boolean | False under the 5-minute free-tier delay. |', 'realtime', [false, true, true]],
    ['| max_page_size | integer | Largest page size for `GET /alerts`. |', 'max_page_size', [20, 50, 100]],
    ['| WebSocket stream | no | yes | yes |', 'websocket', [false, true, true]],
    ['| Webhook delivery | no | no | yes |', 'webhooks', [false, false, true]],
  ];
  test.each(rows)('%s', async (_sentence, field, values) => {
    const { call, key } = service();
    const told = TIERS.map(
      async (tier) => (await call('/me', { key: await key(tier, `My ${tier} bot`) })).body[field],
    );
    expect(await Promise.all(told)).toEqual(values);
  });

  test('| requests_today | integer | API calls made since UTC midnight. |', async () => {
    const { call, key, clock } = service();
    const secret = await key('pro');
    for (const path of ['/stats', '/alerts', '/alerts/999999', '/alerts?page=x'])
      await call(path, { key: secret });
    expect((await call('/me', { key: secret })).body.requests_today).toBe(5);
    clock.advance(12 * HOUR);
    expect((await call('/me', { key: secret })).body.requests_today).toBe(1);
  });

  test('No parameters. Response 200: key info.', async () => {
    const { call, key } = service();
    const secret = await key('pro');
    const { status, text, body } = await call('/me', { key: secret });
    expect(status).toBe(200);
    const names = ['name', 'tier', 'rate_limit', 'websocket', 'webhooks', 'realtime', 'max_page_size'];
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...names, 'requests_today']));
    // Neither the secret nor the part of it under which the key is found.
    expect(text).not.toContain(secret.slice(8, 18));
  });
});

onRunningService('contract, Authentication', (service) => {
  test('REST calls carry the header `Authorization: Bearer <API_KEY>`.', async () => {
    const { call, key, address } = service();
    const secret = await key('pro');
    expect((await call('/me', { key: secret })).status).toBe(200);
    for (const headers of [
      { authorization: secret },
      { authorization: `Basic ${secret}` },
      { 'x-api-key': secret },
    ])
      expect(
        (await fetch(`${address}/api/v1/me`, { headers: headers as Record<string, string> })).status,
      ).toBe(401);
  });

  test('All calls except `/hot-markets` need a key (see Authentication).', async () => {
    const { call } = service();
    const paths = ['/me', '/stats', '/alerts', '/alerts/latest', '/alerts/1', '/presets', '/webhooks'];
    for (const path of paths) {
      for (const secret of [undefined, forgedKey()]) {
        const { status, headers, body } = await call(path, secret === undefined ? {} : { key: secret });
        expect([path, status, headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
        expect(body).toEqual({ detail: expect.any(String), code: expect.any(String) });
      }
    }
    expect((await call('/hot-markets')).status).toBe(200);
  });

  test('Keys have the prefix `sk_live_` followed by a high-entropy random string.', async () => {
    const { key } = service();
    const keys = [await key('free'), await key('pro'), await key('enterprise')];
    expect(new Set(keys).size).toBe(3);
    for (const secret of keys) expect(secret).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/);
  });

  test('Keys are stored hashed; a lost key cannot be recovered.', async () => {
    const { key, container } = service();
    const secret = await key('pro');
    const row = (await container.database.keys.list()).find(({ lookup }) => lookup === secret.slice(8, 18));
    expect(row?.hash).toMatch(/^\$argon2id\$/);
    expect(JSON.stringify(row)).not.toContain(secret.slice(18));
  });

  test('Pro keys are free for the first 30 days and then downgrade to Free automatically.', async () => {
    const { call, key, clock } = service();
    const secret = await key('pro');
    clock.advance(30 * DAY_MS - 1);
    const { body: trial } = await call('/me', { key: secret });
    expect(trial).toMatchObject({ tier: 'pro', rate_limit: '300/min' });
    expect(trial.trial_ends_at).toBe(new Date(clock.now() + 1).toISOString());
    clock.advance(1);
    const { status, headers, body } = await call('/me', { key: secret });
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, '60']);
    expect(body).toMatchObject({ tier: 'free', rate_limit: '60/min', websocket: false, realtime: false });
    expect(body.trial_ends_at).toBeNull();
  });
});

onRunningService('contract, Limits', (service) => {
  test.each([
    ['free', 60],
    ['pro', 300],
    // The shared count gives way to the local one when MongoDB is silent for 250 ms, which a busy machine can be.
  ] as const)('| Pulls per minute | 60 | 300 | unlimited | %s', { retry: 2 }, async (tier, limit) => {
    const { call, key, clock } = service();
    const secret = await key(tier);
    const ask = () => call('/me', { key: secret });
    for (let count = 1; count <= limit; count += 1) {
      const { status, headers } = await ask();
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, String(limit - count)]);
    }
    const { status, headers, body } = await ask();
    expect([status, Number(headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((s) => s >= 1 && s <= 60),
    ]);
    const detail = `Rate limit exceeded. ${tier} tier: ${limit} req/min.`;
    expect(body).toEqual({ detail, code: expect.any(String) });
    clock.advance(60_000);
    expect((await ask()).status).toBe(200);
  });

  test('| Pulls per minute | 60 | 300 | unlimited |', async () => {
    const { call, key } = service();
    const secret = await key('enterprise');
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => call('/me', { key: secret })));
      for (const { status, headers } of answers)
        expect([status, headers.has('ratelimit-limit')]).toEqual([200, false]);
    }
  });
});
