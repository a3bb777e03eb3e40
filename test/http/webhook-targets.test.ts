import { describe, expect, test } from 'vitest';
import { problem } from '../support/problem.ts';
import { startWithKey } from '../support/webhook-api.ts';

describe('webhook targets: “https only; no credentials, no address that is not public”', () => {
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
    ['https://example.com:25/', 'value_error'],
    ['https://example.com:80/', 'value_error'],
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
