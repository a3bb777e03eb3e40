import { describe, expect, test } from 'vitest';
import { webhookUrlProblem } from '../../../../src/core/delivery/webhooks/webhook-url.ts';

const isPublic = (address: string) => address === '8.8.8.8' || address === '2606:4700::1111';

describe('the address of a webhook', () => {
  test.each([
    ['not_a_url', ['', 'hooks.example.com', 'https://', 'https:///a', 'https:/a.example', '//a.example']],
    ['not_a_url', [' https://a.example/', 'https://a.example/ b', 'https://a.example\\b', 'x https://a.b/']],
    ['not_a_url', ['https://a.example/\u0000', 'https://a.example/\ud800', 'https://a.example:65536/']],
    ['not_https', ['http://a.example/', 'wss://a.example/', 'git+https://a.example/', 'httpsx://a.example/']],
    ['has_fragment', ['https://a.example/#b', 'https://a.example/#']],
    ['has_credentials', ['https://user@a.example/', 'https://user:word@a.example/', 'https://@a.example/']],
    ['reserved_port', ['https://a.example:0/', 'https://a.example:00022/', 'https://a.example:80/']],
    ['reserved_port', ['https://a.example:442/', 'https://a.example:444/', 'https://a.example:1023/']],
    ['not_public', ['https://10.0.0.1/', 'https://10.20.30.40:8443/', 'https://0x7f.1/', 'https://[::1]/']],
    [
      'internal_name',
      ['https://intranet/', 'https://intranet./', 'https://a..example/', 'https://.a.example/'],
    ],
    [
      'internal_name',
      ['https://localhost/', 'https://a.localhost/', 'https://localdomain/', 'https://a.local/'],
    ],
    [
      'internal_name',
      ['https://a.internal./', 'https://a.b.lan../', 'https://home.arpa/', 'https://a.home.arpa/'],
    ],
    ['internal_name', ['https://a.localdomain/', 'https://internal.internal/', 'https://lan.lan/']],
  ] as const)('is refused as %s: %j', (problem, texts) => {
    for (const text of texts) expect([text, webhookUrlProblem(text, isPublic)]).toEqual([text, problem]);
  });

  test.each([
    ['of any public name', ['https://a.example/', 'HTTPS://A.Example', 'https://a.b.c.d.example./x?y=%2F']],
    [
      'of a name that only contains an internal one',
      ['https://lan.example/', 'https://xlan.b/', 'https://mylocalhost.b/'],
    ],
    ['of a public address', ['https://8.8.8.8/', 'https://134744072:8443/', 'https://[2606:4700::1111]/']],
    ['of a name that contains an address', ['https://10.0.0.1.example/', 'https://x10.0.0.1.b/']],
    [
      'with port 443 or one from 1024',
      ['https://a.example:443/', 'https://a.example:1024/', 'https://a.example:65535/'],
    ],
    ['with an @ behind the host', ['https://a.example/@b', 'https://a.example?b@c']],
  ] as const)('may be one %s: %j', (_, texts) => {
    for (const text of texts) expect([text, webhookUrlProblem(text, isPublic)]).toEqual([text, null]);
  });

  test.each(['https://localhost/', 'https://127.0.0.1:80/', 'https://intranet:1/'])(
    'may be %s in development',
    (text) => expect(webhookUrlProblem(text, null)).toBeNull(),
  );

  test('may be one of 127.0.0.1 without TLS in development, and of no other host', () => {
    const loopback = ['http://127.0.0.1:3000/', 'HTTP://127.0.0.1', 'http://0x7f.1:80/a?b'];
    for (const text of loopback) {
      expect([text, webhookUrlProblem(text, null)]).toEqual([text, null]);
      expect([text, webhookUrlProblem(text, () => true)]).toEqual([text, 'not_https']);
    }
    const others = ['http://127.0.0.1:80@a.example/', 'http://127.0.0.1.example/', 'http://127.0.0.2/'];
    for (const text of [...others, 'http://localhost/', 'http://[::1]/', 'ws://127.0.0.1/'])
      expect([text, webhookUrlProblem(text, null)]).toEqual([text, 'not_https']);
    expect(webhookUrlProblem('http://user@127.0.0.1/', null)).toBe('has_credentials');
    expect(webhookUrlProblem('http://127.0.0.1/#a', null)).toBe('has_fragment');
  });
});
