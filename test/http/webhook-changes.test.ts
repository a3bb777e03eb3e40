import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { problem } from '../support/problem.ts';
import { startWithWebhook, URL_GIVEN } from '../support/webhook-api.ts';

describe('PATCH /webhooks/{webhook_id}: “changes categories, min_signal or paused”', () => {
  test.each([
    [{ paused: true }, { paused: true }],
    [{ min_signal: null }, { min_signal: null }],
    [{ categories: ' crypto, tech ,crypto' }, { categories: 'crypto,tech' }],
    [{ categories: null }, { categories: null }],
    [{ categories: '' }, { categories: null }],
    [
      { categories: null, min_signal: null, paused: true },
      { categories: null, min_signal: null, paused: true },
    ],
  ])('%j changes just that, and answers with the webhook as it is then', async (change, changed) => {
    const { patch, show, list } = await startWithWebhook({}, { categories: 'world', min_signal: 70 });
    const expected = { ...(await show()), ...changed };
    const { status, body } = await patch(change);
    expect([status, body]).toEqual([200, expected]);
    expect([await show(), await list()]).toEqual([expected, [expected]]);
  });

  test.each([
    ['{"categories":"sports"}', ['body', 'categories'], 'enum'],
    ['{"paused":"yes"}', ['body', 'paused'], 'bool_type'],
    ['{"secret":"x","paused":true}', ['body', 'secret'], 'extra_forbidden'],
    ['null', ['body'], 'missing'],
  ])('%s is a 422 at %j of type %s, and changes nothing', async (text, loc, type) => {
    const { patch, show } = await startWithWebhook();
    const before = await show();
    const { status, body } = await patch(text);
    expect([status, body]).toEqual([422, problem(loc, type)]);
    expect(await show()).toEqual(before);
  });

  test('an empty change is a 422 that names what can be changed', async () => {
    const { patch } = await startWithWebhook();
    const msg =
      'Nothing to change: `categories`, `min_signal`, `filters`, `events` and `paused` can be changed';
    expect((await patch({})).body).toEqual({
      detail: [{ loc: ['body'], msg, type: 'missing' }],
      code: 'invalid_request',
    });
  });

  test('the url cannot be changed: the answer says so, and names every such field', async () => {
    const { patch, show } = await startWithWebhook();
    const { status, body } = await patch({ url: 'https://example.org', id: 'wh_x', paused: 'x' });
    const msg =
      'Extra inputs are not permitted: `categories`, `min_signal`, `filters`, `events` and `paused` can be changed; for another url or format, delete this webhook and register another';
    expect(status).toBe(422);
    expect(body.detail).toHaveLength(3);
    expect(body.detail).toEqual(
      expect.arrayContaining([
        { loc: ['body', 'url'], msg, type: 'extra_forbidden' },
        { loc: ['body', 'id'], msg, type: 'extra_forbidden' },
        { loc: ['body', 'paused'], msg: 'Input should be a valid boolean', type: 'bool_type' },
      ]),
    );
    expect(await show()).toMatchObject({ url: URL_GIVEN, paused: false });
  });
});

describe('POST /webhooks/{webhook_id}/rotate-secret', () => {
  const secretOf = (id: string, version: number) =>
    `whsec_${createHmac('sha256', 'a key for tests, long enough to be one').update(`${id}.${version}`).digest('base64')}`;

  test('the new secret is shown once, and the one it replaces is valid for 24 hours more', async () => {
    const { rotate, show, list, id, signing, get, path, secret, clock } = await startWithWebhook();
    await clock.advance(1_000);
    const { status, body } = await rotate();
    expect([status, body]).toEqual([
      200,
      { id, secret: secretOf(id, 2), previous_secret_valid_until: expect.any(String) },
    ]);
    expect(signing).toBe(secretOf(id, 1));
    const { secret_rotated_at: at } = await show();
    const lasts = Date.parse(`${body.previous_secret_valid_until}Z`) - Date.parse(`${at}Z`);
    expect([at, lasts]).toEqual([
      new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' '),
      86_400_000,
    ]);
    expect((await get(path, secret)).text).not.toContain('whsec_');
    expect(await list()).toMatchObject([{ id, secret_rotated_at: at }]);
  });
});

test('another key’s webhook, one that is gone and one that never was are the same 404', async () => {
  const {
    id,
    path,
    issue,
    send,
    get,
    show,
    rotate,
    test: sendTest,
    patch,
    secret,
  } = await startWithWebhook();
  const other = (await issue({ tier: 'enterprise' })).secret;
  const before = await show();
  const ask = (key: string) =>
    Promise.all([
      get(path, key),
      send('PATCH', path, key, { paused: true }),
      send('POST', `${path}/rotate-secret`, key),
      send('POST', `${path}/test`, key),
      get(`${path}/deliveries`, key),
    ]);
  const missing = { status: 404, body: { detail: `Webhook ${id} was not found.` } };
  for (const answer of await ask(other)) expect(answer).toMatchObject(missing);
  expect(await show()).toEqual(before);
  for (const answer of [await patch({ min_signal: 3 }), await rotate(), await sendTest()])
    expect(answer.status).toBe(200);
  await send('DELETE', path, secret);
  for (const answer of await ask(secret)) expect(answer).toMatchObject(missing);
});
