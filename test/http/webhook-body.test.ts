import { describe, expect, test } from 'vitest';
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

  test.each([
    ['{}', ['body', 'url'], 'missing'],
    ['{"__proto__":{"url":"https://example.com"}}', ['body'], 'value_error'],
    ['{"url":null}', ['body', 'url'], 'string_type'],
    ['{"url":"https://example.com","categories":"sports"}', ['body', 'categories'], 'enum'],
    ['{"url":"https://example.com","categories":"crypto,"}', ['body', 'categories'], 'enum'],
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
  test('2,048 characters are a url, 2,049 are not', async () => {
    const { post } = await startWithKey();
    expect((await post({ url: 'https://example.com/'.padEnd(2_048, 'x') })).status).toBe(201);
    expect((await post({ url: 'https://example.com/'.padEnd(2_049, 'x') })).body).toEqual(
      problem(['body', 'url'], 'string_too_long'),
    );
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
  test('is one of four, and cannot be changed', async () => {
    const { post, send, secret } = await startWithKey();
    const unknown = await post({ url: URL_GIVEN, format: 'teams' });
    expect([unknown.status, unknown.body]).toEqual([422, problem(['body', 'format'], 'enum')]);
    const { id } = (await post({ url: URL_GIVEN, format: 'slack' })).body;
    const { status, body } = await send('PATCH', `/webhooks/${id}`, secret, { format: 'json' });
    expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining('another url or format')]);
  });
});
