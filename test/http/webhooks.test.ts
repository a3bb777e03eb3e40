import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tier } from '../../src/core/tier.ts';
import { ask, startApi } from '../support/api-server.ts';

const URL_GIVEN = 'https://example.com/hook?for=me';

async function startWithKey() {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'enterprise' });
  return {
    ...api,
    secret,
    post: (body: unknown) => api.send('POST', '/webhooks', secret, body),
    list: async () => (await api.get('/webhooks', secret)).body,
  };
}

const problem = (loc: string[], type: string) => ({
  detail: [{ loc, msg: expect.stringMatching(/\w/), type }],
});

describe('contract, “Webhook registration”; design, POST /webhooks', () => {
  test('“201 with id, url, plus secret shown once”: the list does not show it', async () => {
    const { post, get, secret } = await startWithKey();
    const { status, body } = await post({ url: URL_GIVEN });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^wh_[\w-]{16}$/),
        url: URL_GIVEN,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { text } = await get('/webhooks', secret);
    expect(text).toContain(body.id);
    expect(text).not.toContain('whsec_');
    expect(text).not.toContain(body.secret.slice('whsec_'.length));
  });

  test('design, webhook secrets: “HMAC of webhook id and secret version under SECRET_KEY”; each webhook has its own', async () => {
    const { post } = await startWithKey();
    const made = [(await post({ url: URL_GIVEN })).body, (await post({ url: URL_GIVEN })).body];
    for (const { id, secret } of made) {
      const key = 'a key for tests, long enough to be one';
      expect(secret).toBe(`whsec_${createHmac('sha256', key).update(`${id}.1`).digest('base64')}`);
    }
    expect(made[0].secret).not.toBe(made[1].secret);
  });

  test('“GET /webhooks an array of id, url, categories, min_signal, created_at and delivery counts”, oldest first', async () => {
    const { post, get, secret, clock } = await startWithKey();
    const first = (await post({ url: URL_GIVEN, categories: ' crypto, tech ,crypto', min_signal: 0 })).body;
    await clock.advance(1_000);
    const second = (await post({ url: URL_GIVEN })).body;
    const shared = { url: URL_GIVEN, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) };
    const deliveries = { delivered: 0, failed: 0 };
    const { status, body } = await get('/webhooks', secret);
    expect([status, body]).toEqual([
      200,
      [
        { ...shared, id: first.id, categories: 'crypto,tech', min_signal: 0, deliveries },
        { ...shared, id: second.id, categories: null, min_signal: null, deliveries },
      ],
    ]);
  });

  test.each([{ categories: '' }, { categories: '  ' }, { categories: null }, { min_signal: null }, {}])(
    'contract: “when omitted, every category is sent”: %j',
    async (given) => {
      const { post, list } = await startWithKey();
      expect((await post({ url: URL_GIVEN, ...given })).status).toBe(201);
      expect(await list()).toMatchObject([{ categories: null, min_signal: null }]);
    },
  );

  test.each([
    ['', ['body'], 'json_invalid'],
    ['{', ['body'], 'json_invalid'],
    ['null', ['body'], 'missing'],
    ['[]', ['body'], 'dict_type'],
    ['{}', ['body', 'url'], 'missing'],
    ['{"__proto__":{"url":"https://example.com"}}', ['body'], 'json_invalid'],
    ['{"url":null}', ['body', 'url'], 'string_type'],
    ['{"url":["https://example.com"]}', ['body', 'url'], 'string_type'],
    ['{"url":"https://example.com","categories":"sports"}', ['body', 'categories'], 'enum'],
    ['{"url":"https://example.com","categories":"crypto,"}', ['body', 'categories'], 'enum'],
    ['{"url":"https://example.com","categories":"Crypto"}', ['body', 'categories'], 'enum'],
    ['{"url":"https://example.com","categories":["crypto"]}', ['body', 'categories'], 'string_type'],
    [
      `{"url":"https://example.com","categories":"${'crypto,'.repeat(30)}tech"}`,
      ['body', 'categories'],
      'string_too_long',
    ],
    ['{"url":"https://example.com","min_signal":101}', ['body', 'min_signal'], 'less_than_equal'],
    ['{"url":"https://example.com","min_signal":-1}', ['body', 'min_signal'], 'greater_than_equal'],
    ['{"url":"https://example.com","min_signal":1.5}', ['body', 'min_signal'], 'int_type'],
    ['{"url":"https://example.com","min_signal":"70"}', ['body', 'min_signal'], 'float_type'],
    ['{"url":"https://example.com","min_signal":true}', ['body', 'min_signal'], 'float_type'],
  ])('%s is a 422 at %j of type %s', async (text, loc, type) => {
    const { post, list } = await startWithKey();
    const { status, body } = await post(text);
    expect([status, body]).toEqual([422, problem(loc, type)]);
    expect(await list()).toEqual([]);
  });

  test('an unknown category is named, with those there are', async () => {
    const { post } = await startWithKey();
    const { body } = await post({ url: URL_GIVEN, categories: 'crypto,sports' });
    expect(body.detail[0].msg).toBe(
      "Input should be 'crypto', 'politics', 'world', 'tech', 'finance', 'pop_culture', 'other', with commas between them, got 'sports'",
    );
  });

  test('a body that is too large, nested without end or of another type is refused', async () => {
    const { post, baseUrl, secret } = await startWithKey();
    const text = `{"url":"${URL_GIVEN}"}`;
    expect((await post(text.padEnd(65_536))).status).toBe(201);
    expect((await post(text.padEnd(65_537))).status).toBe(413);
    expect((await post(`{"url":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`)).body).toEqual(
      problem(['body', 'url'], 'string_type'),
    );
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' };
    expect((await ask(`${baseUrl}/api/v1/webhooks`, { method: 'POST', headers, body: text })).status).toBe(
      415,
    );
  });

  test('no body whatever is a server fault', async () => {
    const { post } = await startWithKey();
    const url = fc.oneof(
      fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true }),
      fc.string({ unit: 'binary' }),
    );
    const body = fc.oneof(
      fc.record({ url, categories: fc.string(), min_signal: fc.double() }, { requiredKeys: ['url'] }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        expect([201, 409, 422]).toContain((await post(JSON.stringify(given))).status);
      }),
      { numRuns: 100 },
    );
  });
});

describe('design, webhook targets: “https only; no credentials, no address that is not public”', () => {
  test.each([
    ['example.com/hook', 'url_parsing'],
    ['', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['https:example.com', 'url_parsing'],
    ['https:///example.com/', 'url_parsing'],
    ['https:///user:pass@example.com/', 'url_parsing'],
    ['https:////user:pass@example.com/', 'url_parsing'],
    ['https://exa mple.com', 'url_parsing'],
    [' https://example.com', 'url_parsing'],
    ['https://example.com/a\nb', 'url_parsing'],
    ['https:\\\\example.com', 'url_parsing'],
    ['https://example.com:99999/', 'url_parsing'],
    ['https://1.2.3.4.5/', 'url_parsing'],
    ['https://[::1', 'url_parsing'],
    ['javascript:alert(1)', 'url_parsing'],
    ['http://example.com/', 'url_scheme'],
    ['ftp://example.com/', 'url_scheme'],
    ['https://user:pass@example.com/', 'value_error'],
    ['https://user@example.com/', 'value_error'],
    ['https://@example.com/', 'value_error'],
    ['https://example.com/#part', 'value_error'],
    ['https://example.com/#', 'value_error'],
    ['https://localhost/', 'value_error'],
    ['https://intranet/', 'value_error'],
    ['https://router.lan/', 'value_error'],
    ['https://nas.home.arpa/', 'value_error'],
    ['https://example..com/', 'value_error'],
    ['https://example.com/\ud800', 'url_parsing'],
    ['https://LOCALHOST./', 'value_error'],
    ['https://a.localhost/', 'value_error'],
    ['https://printer.local/', 'value_error'],
    ['https://metadata.google.internal/', 'value_error'],
    ['https://./', 'value_error'],
    ['https://127.0.0.1/', 'value_error'],
    ['https://127.1/', 'value_error'],
    ['https://127.0.0.1./', 'value_error'],
    ['https://2130706433/', 'value_error'],
    ['https://0x7f000001/', 'value_error'],
    ['https://0177.0.0.1/', 'value_error'],
    ['https://１２７.0.0.1/', 'value_error'],
    ['https://0/', 'value_error'],
    ['https://10.0.0.1:8443/', 'value_error'],
    ['https://169.254.169.254/latest', 'value_error'],
    ['https://100.64.0.1/', 'value_error'],
    ['https://192.0.2.1/', 'value_error'],
    ['https://224.0.0.1/', 'value_error'],
    ['https://255.255.255.255/', 'value_error'],
    ['https://[::1]/', 'value_error'],
    ['https://[::]/', 'value_error'],
    ['https://[::ffff:127.0.0.1]/', 'value_error'],
    ['https://[::127.0.0.1]/', 'value_error'],
    ['https://[64:ff9b::10.0.0.1]/', 'value_error'],
    ['https://[64:ff9b:1::8.8.8.8]/', 'value_error'],
    ['https://[2002:7f00:1::]/', 'value_error'],
    ['https://[2001::1]/', 'value_error'],
    ['https://[fd00::1]/', 'value_error'],
    ['https://[fe80::1]/', 'value_error'],
    ['https://[ff02::1]/', 'value_error'],
  ])('%j is a 422 of type %s', async (url, type) => {
    const { post } = await startWithKey();
    const { status, body } = await post({ url });
    expect([status, body]).toEqual([422, problem(['body', 'url'], type)]);
  });

  test('2,048 characters are a url, 2,049 are not', async () => {
    const { post } = await startWithKey();
    expect((await post({ url: 'https://example.com/'.padEnd(2_048, 'x') })).status).toBe(201);
    expect((await post({ url: 'https://example.com/'.padEnd(2_049, 'x') })).body).toEqual(
      problem(['body', 'url'], 'string_too_long'),
    );
  });

  test.each([
    'https://example.com',
    'HTTPS://Example.com:8443/a/b?c=d@e',
    'https://münchen.example/ä',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[2002:808:808::1]/',
  ])('%s is taken, and shown as it was given', async (url) => {
    const { post, list } = await startWithKey();
    expect(await post({ url })).toMatchObject({ status: 201, body: { url } });
    expect(await list()).toMatchObject([{ url }]);
  });
});

describe('who may', () => {
  test.each(['free', 'pro'] as const)(
    'design: “tier lacks the feature: 403”; a %s key is told so before its body is read',
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
      expect(await send('DELETE', '/webhooks/1', secret)).toMatchObject(refused);
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

  test('a key whose tier changes loses its webhooks from sight, not for good', async () => {
    const { post, list, get, service, clock, secret } = await startWithKey();
    await post({ url: URL_GIVEN });
    const change = async (tier: Tier) => {
      await service.setTier((await service.list())[0]?.id ?? '', tier);
      await clock.advance(5_000);
    };
    await change('free');
    expect((await get('/webhooks', secret)).status).toBe(403);
    await change('enterprise');
    expect(await list()).toHaveLength(1);
  });

  test('a key has at most 20 webhooks, however many are sent at once: 409 says so; the same address counts each time', async () => {
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

  test('with the database away the answer is a 503', async () => {
    const away = () => Promise.reject(new Error('away'));
    const webhooks = { register: away, list: away, remove: away };
    const { issue, send, get } = await startApi({ webhooks, isOutage: () => true });
    const { secret } = await issue({ tier: 'enterprise' });
    expect((await send('POST', '/webhooks', secret, { url: URL_GIVEN })).status).toBe(503);
    expect((await get('/webhooks', secret)).status).toBe(503);
    expect((await send('DELETE', '/webhooks/1', secret)).status).toBe(503);
  });
});
