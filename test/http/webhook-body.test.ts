import { describe, expect, test } from 'vitest';
import { startApi } from '../support/api-server.ts';
import { problem } from '../support/problem.ts';
import { startWithKey, URL_GIVEN } from '../support/webhook-api.ts';

describe('contract, “Webhook registration”; POST /webhooks', () => {
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

  test('“GET /webhooks an array of id, url, categories, min_signal, created_at and delivery counts”, oldest first', async () => {
    const { post, get, secret, clock } = await startWithKey();
    const first = (await post({ url: URL_GIVEN, categories: ' crypto, tech ,crypto', min_signal: 0 })).body;
    await clock.advance(1_000);
    const second = (await post({ url: `${URL_GIVEN}&all` })).body;
    const unchanged = { filters: null, events: 'alert', paused: false, secret_rotated_at: null };
    const shared = {
      format: 'json',
      ...unchanged,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    };
    const deliveries = { delivered: 0, failed: 0, failures_in_a_row: 0 };
    const { status, body } = await get('/webhooks', secret);
    expect([status, body]).toEqual([
      200,
      [
        { ...shared, id: first.id, url: URL_GIVEN, categories: 'crypto,tech', min_signal: 0, deliveries },
        { ...shared, id: second.id, url: second.url, categories: null, min_signal: null, deliveries },
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
    ['{}', ['body', 'url'], 'missing'],
    ['{"__proto__":{"url":"https://example.com"}}', ['body'], 'value_error'],
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
    ['{"url":"https://example.com","category":"crypto"}', ['body', 'category'], 'extra_forbidden'],
    ['{"url":"https://example.com","paused":true}', ['body', 'paused'], 'extra_forbidden'],
    ['{"url":"https://example.com","min_signal":-1}', ['body', 'min_signal'], 'greater_than_equal'],
    ['{"url":"https://example.com","min_signal":1.5}', ['body', 'min_signal'], 'int_type'],
    ['{"url":"https://example.com","min_signal":"70"}', ['body', 'min_signal'], 'int_type'],
    ['{"url":"https://example.com","min_signal":true}', ['body', 'min_signal'], 'int_type'],
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
});

describe('webhook targets: “https only; no credentials, no address that is not public”', () => {
  test.each([
    ['example.com/hook', 'url_parsing'],
    ['https://example.com/\ud800', 'url_parsing'],
    ['http://example.com/', 'url_scheme'],
    ['https://user:pass@example.com/', 'value_error'],
    ['https://example.com/#part', 'value_error'],
    ['https://metadata.google.internal/', 'value_error'],
    ['https://example.com:25/', 'value_error'],
    ['https://2130706433/', 'value_error'],
    ['https://[64:ff9b::10.0.0.1]/', 'value_error'],
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
    ['HTTPS://Example.com:8443/a/b?c=d@e', 'https://example.com:8443/a/b?c=d@e'],
    ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
    ['https://[64:ff9b::8.8.8.8]/', 'https://[64:ff9b::808:808]/'],
  ])('%s is taken, and shown as %s', async (given, url) => {
    const { post, list } = await startWithKey();
    expect(await post({ url: given })).toMatchObject({ status: 201, body: { url } });
    expect(await list()).toMatchObject([{ url }]);
  });

  test('one that a webhook of the key has, however it is written, is a 409 that names this webhook and its rotation', async () => {
    const { post, list, send, secret } = await startWithKey();
    const { id } = (await post({ url: 'https://example.com' })).body;

    for (const url of ['https://example.com/', 'HTTPS://EXAMPLE.com:443']) {
      const { status, body } = await post({ url, format: 'slack', min_signal: 5 });
      expect([status, body.code]).toEqual([409, 'webhook_url_taken']);
      expect(body.detail).toContain(`Webhook ${id} of this key already has this URL.`);
      expect(body.detail).toContain(`POST /webhooks/${id}/rotate-secret gives it a new secret`);
    }

    expect(await list()).toMatchObject([{ id, format: 'json' }]);
    expect((await send('POST', `/webhooks/${id}/rotate-secret`, secret)).status).toBe(200);
  });
});

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

  test('a key has at most 20 webhooks, however many are sent concurrently: 409 says so', async () => {
    const { post, list, send, secret } = await startWithKey();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => post({ url: `${URL_GIVEN}&of=${index}` })),
    );
    const full = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(full).toHaveLength(10);
    expect(full[0]?.body.detail).toMatch(/at most 20 webhooks.*DELETE/);
    const webhooks = await list();
    expect(webhooks).toHaveLength(20);
    await send('DELETE', `/webhooks/${webhooks[0].id}`, secret);
    expect((await post({ url: webhooks[0].url })).status).toBe(201);
  });
});

describe('the format of a webhook', () => {
  test.each(['discord', 'slack', 'ntfy', 'json'])('%s is kept and shown', async (format) => {
    const { post, list } = await startWithKey();
    expect((await post({ url: 'https://example.com/hook', format })).status).toBe(201);
    expect(await list()).toMatchObject([{ format }]);
  });

  test.each([
    ['https://discord.com/api/webhooks/1/token', undefined, 'send `"format": "discord"`'],
    ['https://discord.com/api/webhooks/1/token', 'json', 'send `"format": "discord"`'],
    ['https://hooks.slack.com/services/T/B/x', undefined, 'send `"format": "slack"`'],
    ['https://ntfy.sh/a/b', 'ntfy', 'should be one topic of ntfy'],
  ])('that %s would never acknowledge (%s) is a 422 that says what to send', async (url, format, words) => {
    const { post, list } = await startWithKey();
    const { status, body } = await post({ url, format });
    expect([status, body]).toEqual([422, problem(['body', 'format'], 'value_error')]);
    expect(body.detail[0].msg).toContain(words);
    expect(await list()).toEqual([]);
  });

  test('is one of four, and cannot be changed', async () => {
    const { post, send, secret } = await startWithKey();
    const unknown = await post({ url: URL_GIVEN, format: 'teams' });
    expect([unknown.status, unknown.body]).toEqual([422, problem(['body', 'format'], 'enum')]);
    const { id } = (await post({ url: URL_GIVEN, format: 'slack' })).body;
    const { status, body } = await send('PATCH', `/webhooks/${id}`, secret, { format: 'json' });
    expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining('another url or format')]);
  });
});
