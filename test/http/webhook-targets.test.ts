import { describe, expect, test } from 'vitest';
import { problem } from '../support/problem.ts';
import { startWithKey } from '../support/webhook-api.ts';

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
    'HTTPS://Example.com:8443/a/b?c=d@e',
    'https://münchen.example/ä',
    'https://[64:ff9b::8.8.8.8]/',
  ])('%s is taken, and shown as it was given', async (url) => {
    const { post, list } = await startWithKey();
    expect(await post({ url })).toMatchObject({ status: 201, body: { url } });
    expect(await list()).toMatchObject([{ url }]);
  });
});
