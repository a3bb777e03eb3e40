import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';
import { URL_GIVEN } from '../support/webhook-api.ts';

const KEY = '6f1f3f9e-3d0c-4f7e-9c57-1f0f7a1a52f3';
const PRESET = { name: 'Large', filters: { category: 'crypto', side: 'BUY', direction: 'x' } };

async function startWithKeys() {
  const api = await startApi();
  const [one, other] = [await api.issue({ tier: 'enterprise' }), await api.issue({ tier: 'enterprise' })];
  const post = (path: string, body: unknown, key: string | null = KEY, secret = one.secret) =>
    ask(`${api.baseUrl}/api/v1${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
      },
    });
  const listed = async (path: string) => (await api.get(path, one.secret)).body;
  return { ...api, post, listed, one, other };
}

const replayed = ({ headers }: { readonly headers: Headers }) => headers.get('idempotent-replayed');

describe('Idempotency-Key', () => {
  test('a repeated registration of a webhook is answered with the same id and secret, and registers nothing', async () => {
    const { post, listed } = await startWithKeys();
    const body = { url: URL_GIVEN, categories: 'politics,crypto', min_signal: 70 };
    const first = await post('/webhooks', body);
    const again = await post('/webhooks', { min_signal: 70, categories: 'politics,crypto', url: URL_GIVEN });

    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
    expect(await listed('/webhooks')).toHaveLength(1);
  });

  test('a repeated preset is answered alike, unknown filters included; without the header each is another one', async () => {
    const { post, listed } = await startWithKeys();
    const first = await post('/presets', PRESET);
    const again = await post('/presets', PRESET);

    expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, 'true']);
    for (const { headers } of [first, again]) expect(headers.get('x-unknown-parameters')).toBe('direction');
    await post('/presets', PRESET, null);
    await post('/presets', PRESET, 'another-key');
    expect(await listed('/presets')).toHaveLength(3);
  });

  test('with another body or on another route it is a 422 with a code of its own, and nothing is created', async () => {
    const { post, listed } = await startWithKeys();
    await post('/presets', PRESET);
    for (const refused of [
      await post('/presets', { ...PRESET, name: 'Small' }),
      await post('/webhooks', { url: URL_GIVEN }),
    ])
      expect([refused.status, refused.body]).toEqual([
        422,
        {
          detail: [{ loc: ['header', 'idempotency-key'], msg: expect.any(String), type: 'value_error' }],
          code: 'idempotency_key_reused',
        },
      ]);
    expect([await listed('/presets'), await listed('/webhooks')]).toMatchObject([[{}], []]);
  });

  test.each([
    ['after a rotation', 'changed', 'POST', '/rotate-secret'],
    ['after its deletion', 'deleted', 'DELETE', ''],
  ])(
    'a registration repeated %s is a 409 with a code of its own, and no secret',
    async (_when, word, method, path) => {
      const { post, listed, baseUrl, one } = await startWithKeys();
      const { body: first } = await post('/webhooks', { url: URL_GIVEN });
      const init = { method, headers: { authorization: `Bearer ${one.secret}` } };
      await ask(`${baseUrl}/api/v1/webhooks/${first.id}${path}`, init);
      const before = await listed('/webhooks');
      const again = await post('/webhooks', { url: URL_GIVEN });

      expect([again.status, again.body.code]).toEqual([409, 'idempotency_resource_changed']);
      expect(again.body.detail).toContain(`created ${first.id}, which was ${word} since`);
      expect(again.text).not.toContain('whsec_');
      expect(await listed('/webhooks')).toEqual(before);
      expect(await post('/webhooks', { url: URL_GIVEN }, 'another-key')).toMatchObject({ status: 201 });
    },
  );

  test.each([
    ['', 'string_too_short'],
    ['x'.repeat(256), 'string_too_long'],
    ['a b', 'string_pattern_mismatch'],
  ])('the value %j is a 422', async (value, type) => {
    const { post, listed } = await startWithKeys();
    const { status, body } = await post('/presets', PRESET, value);
    expect([status, body.code, body.detail[0]]).toEqual([
      422,
      'invalid_request',
      { loc: ['header', 'idempotency-key'], msg: expect.any(String), type },
    ]);
    expect(await listed('/presets')).toEqual([]);
  });
});
