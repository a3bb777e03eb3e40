import { describe, expect, test } from 'vitest';
import { destinationOf, shownAddress } from '../../../src/core/follow/destination.ts';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';

const of = (text: string) => destinationOf(text, isPublicAddress);

describe('the service of an address is told by host and path', () => {
  test.each([
    ['discord', 'https://discord.com/api/webhooks/123/a-B_c'],
    ['discord', 'https://discord.com/api/webhooks/123/abc?thread_id=9'],
    ['discord', 'https://canary.discord.com/api/v10/webhooks/123/abc'],
    ['discord', 'https://discordapp.com/api/webhooks/123/abc'],
    ['slack', 'https://hooks.slack.com/services/T000/B000/XXXX'],
    ['ntfy', 'https://ntfy.sh/my_topic-1'],
    ['ntfy', 'https://push.example.org:8443/alerts'],
    ['ntfy', 'https://ntfy.example.org/alerts?auth=QmVhcmVyIHg'],
  ] as const)('%s: %s', (kind, url) => {
    expect(of(url)).toEqual({ ok: true, address: { kind, url } });
  });

  test('also without https:// and with spaces around it', () => {
    expect(of(' ntfy.sh/topic\n')).toEqual({
      ok: true,
      address: { kind: 'ntfy', url: 'https://ntfy.sh/topic' },
    });
  });
});

test.each([
  ['unknown_service', 'https://discord.com/api/webhooks/123/abc/slack'],
  ['unknown_service', 'https://discord.com/channels/1/2'],
  ['unknown_service', 'https://discord.com/alerts'],
  ['unknown_service', 'https://hooks.slack.com/workflows/T/A/1/x'],
  ['unknown_service', 'https://hooks.slack.com/alerts'],
  ['unknown_service', 'https://ntfy.sh/'],
  ['unknown_service', 'https://ntfy.sh/a/json'],
  ['unknown_service', 'https://example.org/hook?key=1'],
  ['unknown_service', `https://ntfy.sh/${'x'.repeat(65)}`],
  ['not_https', 'http://ntfy.sh/topic'],
  ['not_a_url', 'hello'],
  ['not_a_url', ''],
  ['has_credentials', 'https://ann:secret@ntfy.example.org/topic'],
  ['has_fragment', 'https://ntfy.sh/topic#a'],
  ['internal_name', 'https://ntfy.local/topic'],
  ['internal_name', 'https://localhost/topic'],
  ['not_public', 'https://127.0.0.1/topic'],
  ['not_public', 'https://169.254.169.254/topic'],
  ['not_public', 'https://[::1]/topic'],
  ['reserved_port', 'https://ntfy.example.org:22/topic'],
  ['too_long', `https://ntfy.example.org/topic?auth=${'x'.repeat(2_048)}`],
])('an address is refused as %s: %s', (problem, url) => {
  expect(of(url)).toEqual({ ok: false, problem });
});

test('an address is shown without what lets others write there', () => {
  const shown = (url: string) => shownAddress({ url });
  expect(shown('https://discord.com/api/webhooks/123/abcdefghijklmnopqrst')).toBe('discord.com/…qrst');
  expect(shown('https://hooks.slack.com/services/T0/B0/abcdefghijkl')).toBe('hooks.slack.com/…jkl');
  expect(shown('https://ntfy.example.org:8443/tips?auth=secret')).toBe('ntfy.example.org:8443/…s');
  expect(shown('https://ntfy.sh/abc')).toBe('ntfy.sh/…');
});
