import { describe, expect, test } from 'vitest';
import { NOW, startWithKey } from '../support/preset-api.ts';
import { problem } from '../support/problem.ts';

describe('contract, POST /presets', () => {
  test.each([
    ['{"name":5,"filters":{}}', ['body', 'name'], 'string_type'],
    ['{"name":"  ","filters":{}}', ['body', 'name'], 'string_too_short'],
    [`{"name":"${'x'.repeat(101)}","filters":{}}`, ['body', 'name'], 'string_too_long'],
    ['{"name":"a\\u0000b","filters":{}}', ['body', 'name'], 'value_error'],
    ['{"name":"\\u202e\\u200f","filters":{}}', ['body', 'name'], 'string_too_short'],
    ['{"name":"\\ud800","filters":{}}', ['body', 'name'], 'value_error'],
    ['{"name":"x","filters":[]}', ['body', 'filters'], 'dict_type'],
    ['{"name":"x","filters":{"a":{}}}', ['body', 'filters', 'a'], 'value_error'],
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
});

describe('known filters are judged as the query of their name (presets: “filters are the query names above”)', () => {
  test.each([
    ['min_signal', 101, 'less_than_equal'],
    ['min_signal', 70.5, 'int_parsing'],
    ['page', 0, 'greater_than_equal'],
    ['page_size', 101, 'less_than_equal'],
    ['category', 'sports', 'enum'],
    ['side', 'buy', 'enum'],
    ['since', 'yesterday', 'datetime_parsing'],
  ])('%s: %j is a 422 of type %s, with the words the query gets', async (name, value, type) => {
    const { post, asked } = await startWithKey();
    const { status, body } = await post({ name: 'x', filters: { [name]: value } });
    const query = await asked(`/alerts?${name}=${value}`);
    expect([status, body]).toEqual([422, problem(['body', 'filters', name], type)]);
    expect(body.detail[0].msg).toBe(query.body.detail[0].msg);
  });

  test.each([
    ['min_signal', '70', 'int_type', 'Input should be a valid integer'],
    ['min_signal', true, 'int_type', 'Input should be a valid integer'],
    ['min_usdc', '1000', 'float_type', 'Input should be a valid number'],
    ['resolved', 'true', 'bool_type', 'Input should be a valid boolean'],
    ['resolved', 1, 'bool_type', 'Input should be a valid boolean'],
    ['category', 5, 'string_type', 'Input should be a valid string'],
    ['search', 5, 'string_type', 'Input should be a valid string'],
  ])('%s: %j is not of the type that the document names: %s', async (name, value, type, msg) => {
    const { post } = await startWithKey();
    const { status, body } = await post({ name: 'x', filters: { [name]: value } });
    const detail = [{ loc: ['body', 'filters', name], msg, type }];
    expect([status, body]).toEqual([422, { detail, code: 'invalid_request' }]);
  });

  test('every wrong one is named, and null is not set', async () => {
    const { post } = await startWithKey();
    const { body } = await post({ name: 'x', filters: { page: 'x', side: 'up', min_signal: 7, a: [] } });
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[2])).toEqual(['page', 'side', 'a']);
    const filters = { min_signal: 70, min_usdc: 1e21, page: 2, resolved: true, category: null, since: NOW };
    expect((await post({ name: 'x', filters })).status).toBe(200);
  });
});
