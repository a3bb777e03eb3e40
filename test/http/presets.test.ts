import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tier } from '../../src/core/tier.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, startApi } from '../support/api-server.ts';
import { START } from '../support/rows.ts';

const FILTERS = { category: 'crypto', side: 'BUY', min_signal: 70, note: 'kept', search: null };
const NOW = '2026-11-03 02:00:00';

async function startWithKey(tier: Tier = 'free') {
  const api = await startApi();
  await api.clock.advance(Date.UTC(2026, 10, 3, 2) - START);
  const { secret } = await api.issue({ tier });
  return {
    ...api,
    secret,
    post: (body: unknown) => api.send('POST', '/presets', secret, body),
    asked: (path: string) => api.get(path, secret),
  };
}

const problem = (loc: string[], type: string) => ({
  detail: [{ loc, msg: expect.stringMatching(/\w/), type }],
});

describe('contract, POST /presets', () => {
  test('“Response 200: id (string), name (string)”, for a key of any tier', async () => {
    const { issue, send } = await startApi();
    for (const tier of ['free', 'pro', 'enterprise'] as const) {
      const { secret } = await issue({ tier });
      const { status, body } = await send('POST', '/presets', secret, { name: ' mine ', filters: FILTERS });
      expect([status, body]).toEqual([
        200,
        { id: expect.stringMatching(/^preset_[\w-]{16}$/), name: 'mine' },
      ]);
    }
  });

  test('“For a missing name, loc is body then name, msg says the field is required, type a missing-value type”', async () => {
    const { post } = await startWithKey();
    for (const [body, name] of [
      [{ filters: {} }, 'name'],
      [{ name: 'x' }, 'filters'],
    ] as const) {
      expect(await post(body)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', name], msg: 'Field required', type: 'missing' }] },
      });
    }
  });

  test.each([
    ['', ['body'], 'json_invalid'],
    ['{', ['body'], 'json_invalid'],
    ['null', ['body'], 'missing'],
    ['[]', ['body'], 'dict_type'],
    ['"x"', ['body'], 'dict_type'],
    ['{"name":5,"filters":{}}', ['body', 'name'], 'string_type'],
    ['{"name":null,"filters":{}}', ['body', 'name'], 'string_type'],
    ['{"name":"  ","filters":{}}', ['body', 'name'], 'string_too_short'],
    [`{"name":"${'x'.repeat(101)}","filters":{}}`, ['body', 'name'], 'string_too_long'],
    ['{"name":"a\\u0000b","filters":{}}', ['body', 'name'], 'value_error'],
    ['{"name":"a\\u202eb","filters":{}}', ['body', 'name'], 'value_error'],
    ['{"name":"\\ud800","filters":{}}', ['body', 'name'], 'value_error'],
    ['{"name":"x","filters":[]}', ['body', 'filters'], 'dict_type'],
    ['{"name":"x","filters":"category=crypto"}', ['body', 'filters'], 'dict_type'],
    ['{"name":"x","filters":null}', ['body', 'filters'], 'dict_type'],
    ['{"name":"x","filters":{"a":{}}}', ['body', 'filters', 'a'], 'value_error'],
    ['{"name":"x","filters":{"a":[1]}}', ['body', 'filters', 'a'], 'value_error'],
    ['{"name":"x","filters":{"a":1e999}}', ['body', 'filters', 'a'], 'finite_number'],
    ['{"name":"x","filters":{"a":"\\ud800"}}', ['body', 'filters', 'a'], 'value_error'],
    [`{"name":"x","filters":{"a":"${'x'.repeat(201)}"}}`, ['body', 'filters', 'a'], 'string_too_long'],
    [`{"name":"x","filters":{"${'x'.repeat(65)}":1}}`, ['body', 'filters'], 'value_error'],
    ['{"name":"x","filters":{},"created_at":5}', ['body', 'created_at'], 'string_type'],
    ['{"name":"x","filters":{},"created_at":"yesterday"}', ['body', 'created_at'], 'datetime_parsing'],
    [
      '{"name":"x","filters":{},"created_at":"2026-02-30 00:00:00"}',
      ['body', 'created_at'],
      'datetime_parsing',
    ],
    [
      '{"name":"x","filters":{},"created_at":"9999-12-31T23:59:59-01:00"}',
      ['body', 'created_at'],
      'value_error',
    ],
    [
      '{"name":"x","filters":{},"created_at":"0000-01-01T00:00:00+01:00"}',
      ['body', 'created_at'],
      'value_error',
    ],
    ['{"name":"x","filters":{"__proto__":"x"}}', ['body'], 'json_invalid'],
    ['{"name":"x","filters":{"\\u005f_proto__":{"isAdmin":true}}}', ['body'], 'json_invalid'],
    ['{"name":"x","filters":{"constructor":{"prototype":{"isAdmin":true}}}}', ['body'], 'json_invalid'],
  ])('%s is a 422 at %j of type %s', async (text, loc, type) => {
    const { post } = await startWithKey();
    const { status, body } = await post(text);
    expect([status, body]).toEqual([422, problem(loc, type)]);
  });

  test('more than 50 filters are a 422, 50 are not', async () => {
    const { post } = await startWithKey();
    const filters = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
    expect((await post({ name: 'x', filters: filters(50) })).status).toBe(200);
    expect(await post({ name: 'x', filters: filters(51) })).toMatchObject({
      status: 422,
      body: problem(['body', 'filters'], 'too_long'),
    });
  });

  test('a body that is too large, nested without end or of another type is refused', async () => {
    const { post, baseUrl, secret } = await startWithKey();
    const bodyOf = (bytes: number) => '{"name":"x","filters":{}}'.padEnd(bytes);
    expect((await post(bodyOf(65_536))).status).toBe(200);
    expect(await post(bodyOf(65_537))).toMatchObject({ status: 413, body: { detail: expect.any(String) } });
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect((await post(nested)).body).toEqual(problem(['body'], 'dict_type'));
    expect((await post(`{"name":"x","filters":{"a":${nested}}}`)).status).toBe(422);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': type };
      const body = '{"name":"x","filters":{}}';
      const { status } = await ask(`${baseUrl}/api/v1/presets`, { method: 'POST', headers, body });
      expect([type, status]).toEqual([type, 415]);
    }
  });

  test('names that mean something to the language are names like any other, and of a name twice the last counts', async () => {
    const { post, asked } = await startWithKey();
    const filters = '{"constructor":"a","toString":"b","hasOwnProperty":"c","valueOf":1,"x":1,"x":2}';
    const { status, body } = await post(`{"name":"x","filters":${filters},"extra":1}`);
    expect(status).toBe(200);
    const kept = await asked(`/presets/${body.id}`);
    expect(JSON.stringify(kept.body.filters)).toBe(JSON.stringify(JSON.parse(filters)));
    expect((await asked(`/alerts?preset=${body.id}`)).status).toBe(200);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  test('no body whatever is a server fault, and no preset that was accepted leads to one', async () => {
    const { post, asked, secret } = await startWithKey('enterprise');
    const value = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.boolean(),
      fc.jsonValue(),
    );
    const name = fc.oneof(
      fc.constantFrom('page', 'search', 'since', 'min_usdc', 'preset', '__proto__'),
      fc.string(),
    );
    const filters = fc.dictionary(name, value, { noNullPrototype: true, maxKeys: 4 });
    const body = fc.oneof(
      fc.record(
        { name: fc.string({ minLength: 1 }), filters, created_at: fc.string() },
        { requiredKeys: ['name', 'filters'] },
      ),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        const { status, text, body: saved } = await post(JSON.stringify(given));
        expect([200, 409, 422]).toContain(status);
        expect(text).not.toContain(secret);
        if (status === 200) expect((await asked(`/alerts?preset=${saved.id}`)).status).toBe(200);
      }),
      { numRuns: 150 },
    );
  });
});

describe('known filters are judged as the query of their name (design, presets: “filters are the query names above”)', () => {
  test.each([
    ['min_signal', 101, 'less_than_equal'],
    ['min_signal', '101', 'less_than_equal'],
    ['min_signal', 70.5, 'int_parsing'],
    ['min_signal', true, 'int_parsing'],
    ['page', 0, 'greater_than_equal'],
    ['page_size', 101, 'less_than_equal'],
    ['category', 'sports', 'enum'],
    ['category', 5, 'enum'],
    ['side', 'buy', 'enum'],
    ['min_usdc', 'much', 'float_parsing'],
    ['since', 'yesterday', 'datetime_parsing'],
    ['resolved', 'maybe', 'bool_parsing'],
  ])('%s: %j is a 422 of type %s, with the words the query gets', async (name, value, type) => {
    const { post, asked } = await startWithKey();
    const { status, body } = await post({ name: 'x', filters: { [name]: value } });
    const query = await asked(`/alerts?${name}=${value}`);
    expect([status, body]).toEqual([422, problem(['body', 'filters', name], type)]);
    expect(body.detail[0].msg).toBe(query.body.detail[0].msg);
  });

  test('every wrong one is named; a number means the same as its text, and null is not set', async () => {
    const { post } = await startWithKey();
    const { body } = await post({ name: 'x', filters: { page: 'x', side: 'up', min_signal: 7, a: [] } });
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[2])).toEqual(['page', 'side', 'a']);
    const filters = { min_signal: '70', min_usdc: 1e21, page: 2, resolved: true, category: null, since: NOW };
    expect((await post({ name: 'x', filters })).status).toBe(200);
  });
});

describe('design, presets: “also GET list, GET, PUT, DELETE by id”', () => {
  test('a preset is shown as it was saved, the list oldest first', async () => {
    const { post, asked, clock } = await startWithKey();
    const first = (await post({ name: 'first', filters: FILTERS })).body.id;
    await clock.advance(1_000);
    const second = (await post({ name: 'second', filters: {} })).body.id;
    const whole = { id: first, name: 'first', filters: FILTERS, created_at: NOW };
    expect(await asked(`/presets/${first}`)).toMatchObject({ status: 200, body: whole });
    const { status, body } = await asked('/presets');
    expect([status, body]).toEqual([
      200,
      [whole, { id: second, name: 'second', filters: {}, created_at: '2026-11-03 02:00:01' }],
    ]);
  });

  test.each([
    ['2025-01-02 03:04:05', '2025-01-02 03:04:05'],
    ['2025-01-02T03:04:05', '2025-01-02 03:04:05'],
    ['2025-01-02T03:04:05.678Z', '2025-01-02 03:04:05'],
    ['2025-01-02T03:04:05+02:00', '2025-01-02 01:04:05'],
    ['1969-12-31 23:59:59', '1969-12-31 23:59:59'],
    [null, NOW],
    [undefined, NOW],
  ])(
    'contract: created_at “string UTC timestamp, optional, defaults to the current time”: %j is %s',
    async (given, shown) => {
      const { post, asked } = await startWithKey();
      const { body } = await post({ name: 'x', filters: {}, created_at: given });
      expect((await asked(`/presets/${body.id}`)).body.created_at).toBe(shown);
    },
  );

  test('PUT replaces name and filters, and created_at when it is given', async () => {
    const { post, send, asked, secret, clock } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: FILTERS })).body;
    await clock.advance(60_000);
    const put = (body: unknown) => send('PUT', `/presets/${id}`, secret, body);
    const changed = { id, name: 'y', filters: { side: 'SELL' }, created_at: NOW };
    expect(await put({ name: 'y', filters: { side: 'SELL' } })).toMatchObject({ status: 200, body: changed });
    expect((await asked(`/presets/${id}`)).body).toEqual(changed);
    const dated = { name: 'z', filters: {}, created_at: '2025-01-02 03:04:05' };
    expect((await put(dated)).body).toEqual({ id, ...dated });
    expect(await put({ name: 'z' })).toMatchObject({
      status: 422,
      body: problem(['body', 'filters'], 'missing'),
    });
    expect((await asked(`/presets/${id}`)).body).toEqual({ id, ...dated });
  });

  test('DELETE is a 204 without a body, whatever content type is named; then there is no such preset', async () => {
    const { post, send, get, baseUrl, secret } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: {} })).body;
    const { status, text } = await send('DELETE', `/presets/${id}`, secret);
    expect([status, text]).toEqual([204, '']);
    const gone = { status: 404, body: { detail: `Preset ${id} was not found.` } };
    expect(await send('DELETE', `/presets/${id}`, secret, '{{{')).toMatchObject(gone);
    expect(await get(`/presets/${id}`, secret)).toMatchObject(gone);
    expect(await get(`/alerts?preset=${id}`, secret)).toMatchObject(gone);
    const headers = { authorization: `Bearer ${secret}` };
    expect(await ask(`${baseUrl}/api/v1/presets/${id}`, { method: 'DELETE', headers })).toMatchObject(gone);
  });

  test('a preset of another key does not exist', async () => {
    const { post, issue, send, get, secret } = await startWithKey();
    const { id } = (await post({ name: 'x', filters: FILTERS })).body;
    const other = (await issue({ tier: 'enterprise' })).secret;
    const detail = `Preset ${id} was not found.`;
    const replaced = await send('PUT', `/presets/${id}`, other, { name: 'mine', filters: {} });
    const removed = await send('DELETE', `/presets/${id}`, other);
    for (const answer of [
      replaced,
      removed,
      await get(`/presets/${id}`, other),
      await get(`/alerts?preset=${id}`, other),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { detail }]);
    }
    expect((await get('/presets', other)).body).toEqual([]);
    expect((await get(`/presets/${id}`, secret)).body).toMatchObject({ name: 'x', filters: FILTERS });
  });

  test('a key has at most 100 presets, however many are sent at once: 409 says so; a free place is used', async () => {
    const { post, asked, send, secret, issue } = await startWithKey('enterprise');
    const answers = await Promise.all(Array.from({ length: 120 }, () => post({ name: 'x', filters: {} })));
    const full = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(full).toHaveLength(20);
    expect(full[0]?.body.detail).toMatch(/at most 100 presets.*DELETE/);
    const presets = (await asked('/presets')).body;
    expect(presets).toHaveLength(100);
    expect((await send('POST', '/presets', (await issue()).secret, { name: 'x', filters: {} })).status).toBe(
      200,
    );
    await send('DELETE', `/presets/${presets[0].id}`, secret);
    expect((await post({ name: 'x', filters: {} })).status).toBe(200);
  });
});

describe('design: “GET /alerts?preset=<id> applies one”, “the explicit one wins”', () => {
  async function startWithAlerts(filters: object) {
    const api = await startWithKey();
    for (let id = 1; id <= 8; id += 1) {
      await api.append(
        alertOf({
          id,
          score: id * 10,
          category: id % 2 === 0 ? 'crypto' : 'tech',
          createdAt: START + id * 1_000,
        }),
      );
    }
    const { id } = (await api.post({ name: 'x', filters })).body;
    const page = async (query = '') => (await api.asked(`/alerts?preset=${id}${query}`)).body;
    return {
      ...api,
      id,
      page,
      ids: async (query = '') => (await page(query)).alerts.map((a: { id: number }) => a.id),
    };
  }

  test('its filters choose the alerts', async () => {
    const { ids } = await startWithAlerts({ category: 'crypto', min_signal: 40 });
    expect(await ids()).toEqual([8, 6, 4]);
    expect(await ids('&min_signal=70')).toEqual([8]);
    expect(await ids('&min_signal=0&category=tech')).toEqual([7, 5, 3, 1]);
  });

  test('its page and page size count where the query names none, also when the query names the default', async () => {
    const { page, ids } = await startWithAlerts({ page: 2, page_size: 3 });
    expect(await page()).toMatchObject({ page: 2, page_size: 3, total: 8, has_more: true });
    expect(await ids()).toEqual([5, 4, 3]);
    expect(await page('&page=1')).toMatchObject({ page: 1, page_size: 3 });
    expect(await page('&page=1&page_size=20')).toMatchObject({ page: 1, page_size: 20, has_more: false });
  });

  test('a page size above the tier’s is lowered as one of the query is', async () => {
    const { page } = await startWithAlerts({ page_size: 100 });
    expect(await page()).toMatchObject({ page: 1, page_size: 20 });
  });

  test('what is not set, or is no query name, changes nothing and is not listed as unknown', async () => {
    const { asked, id, ids } = await startWithAlerts({
      category: null,
      wallet: '0xaa',
      preset: 'preset_x',
      since: '2020-01-01 00:00:00',
    });
    expect(await ids()).toHaveLength(8);
    const { headers } = await asked(`/alerts?preset=${id}&nonsense=1`);
    expect(headers.get('x-unknown-parameters')).toBe('nonsense');
  });

  test('an unknown preset is a 404 that names it, an empty one a 422, and a wrong query is told first', async () => {
    const { asked } = await startWithKey();
    expect(await asked('/alerts?preset=preset_nothing')).toMatchObject({
      status: 404,
      body: { detail: 'Preset preset_nothing was not found.' },
    });
    expect((await asked('/alerts?preset=')).body).toEqual(problem(['query', 'preset'], 'string_too_short'));
    expect((await asked('/alerts?preset=a&preset=b')).body).toEqual(
      problem(['query', 'preset'], 'string_type'),
    );
    expect((await asked('/alerts?preset=preset_nothing&page=0')).status).toBe(422);
  });

  test('a name that no build knew when it was saved, and that does not fit now, stays unused', async () => {
    const { asked, database, service } = await startWithKey();
    const [key] = await service.list();
    const filters = { min_signal: 'high', category: 'crypto' };
    await database.presets.insert(
      { id: 'old', keyId: key?.id ?? '', name: 'x', filters, createdAt: START },
      100,
    );
    expect((await asked('/alerts?preset=old')).status).toBe(200);
  });
});
