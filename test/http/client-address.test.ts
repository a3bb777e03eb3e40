import { describe, expect, test } from 'vitest';
import { clientOf, createTrust, isLoopback } from '../../src/http/hooks/client-address.ts';
import { ask, startApi } from '../support/api-server.ts';
import { stopDate } from '../support/moving-date.ts';
import { START } from '../support/rows.ts';

describe('the client of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['"192.0.2.1:443"', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:7::1', '2001:db8:0:7'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:0db8:0000:0007:0000:0000:0000:0001', '2001:db8:0:7'],
    ['2001:db8:0:7::192.0.2.1', '2001:db8:0:7'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['[fe80::1%25eth0]:443', 'fe80:0:0:0'],
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8:0:7::1]:443', '2001:db8:0:7'],
    [undefined, ''],
  ])('%s is %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  test('any text a proxy may forward is a client, and no longer than an address', () => {
    for (const text of [
      '',
      'unknown',
      '192.0.2.1:443',
      '1:2:3:4:5::6:7:8:9:a',
      '::'.repeat(9_000),
      'x'.repeat(9_000),
    ])
      expect(clientOf(text).length).toBeLessThanOrEqual(45);
  });
});

test('loopback is loopback in any spelling', () => {
  const local = '127.0.0.1 127.8.9.1 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::FFFF:7f00:1 [::1]'.split(' ');
  expect(local.filter((address) => !isLoopback(address))).toEqual([]);
  const others = '128.0.0.1 ::ffff:8.8.8.8 ::2 64:ff9b::7f00:1 127.0.0.1.nip.io'.split(' ');
  expect([...others, '', undefined].filter(isLoopback)).toEqual([]);
});

test.each([
  [
    '127.0.0.1',
    '127.0.0.1 ::ffff:127.0.0.1 ::FFFF:7f00:1 127.0.0.1:4711 [::ffff:127.0.0.1]:80',
    '127.0.0.2 ::1',
  ],
  ['::ffff:10.0.0.0/104', '10.9.9.9 ::ffff:10.1.1.1', '11.0.0.1 ::1'],
  ['2001:DB8::/32,10.0.0.1', '2001:db8:9::1 [2001:0db8::1]:80 10.0.0.1', '2001:db9::1 10.0.0.2 unknown'],
])('a proxy is trusted as an address, not as text: %s', (ranges, trusted, others) => {
  const isTrusted = createTrust(ranges);
  expect(trusted.split(' ').filter((address) => !isTrusted(address))).toEqual([]);
  expect(others.split(' ').filter(isTrusted)).toEqual([]);
});

test('one client has one limit, whatever the spelling in which a chain of proxies forwards its address', async () => {
  stopDate(START);
  const { baseUrl } = await startApi({ publicRequestsPerMinute: 5, trustProxy: '127.0.0.1,10.0.0.0/8' });
  const remainingOf = async (forwarded: string) => {
    const answer = await ask(`${baseUrl}/api/v1/hot-markets`, { headers: { 'x-forwarded-for': forwarded } });
    return Number(answer.headers.get('ratelimit-remaining'));
  };
  const clients = [
    ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:198.51.100.7', '0:0:0:0:0:ffff:c633:6407'],
    [
      '203.0.113.99',
      '::ffff:203.0.113.99',
      '203.0.113.99:4711, [::ffff:10.1.2.3]:80',
      '203.0.113.99, 10.0.0.1:80',
    ],
    ['2001:db8:77:2::1', '2001:DB8:77:2::1', '2001:db8:77:2:0:0:0:9', '"[2001:0db8:0077:2::5]:4711"'],
  ];
  for (const spellings of clients) {
    const remaining = [];
    for (const spelling of spellings) remaining.push(await remainingOf(spelling));
    expect(remaining).toEqual([4, 3, 2, 1]);
  }
});

test('calls without a key from all /64s of one IPv6 /48 have eight times the limit of one', async () => {
  stopDate(START);
  const { baseUrl } = await startApi({ publicRequestsPerMinute: 5, trustProxy: true });
  const refusedOf = async (addresses: readonly string[]) => {
    const statuses = [];
    for (const address of addresses) {
      const headers = { 'x-forwarded-for': address };
      statuses.push((await ask(`${baseUrl}/api/v1/hot-markets`, { headers })).status);
    }
    return statuses.filter((status) => status === 429).length;
  };
  const next = Array.from({ length: 60 }, (_, index) => `2001:db8:0:${index.toString(16)}::1`);
  expect(await refusedOf(next)).toBe(20);
  expect(await refusedOf(['2001:db8:1::1'])).toBe(0);
  // A client over its own limit does not use up that of its network.
  expect(await refusedOf(new Array(100).fill('2001:db8:2:1::1'))).toBe(95);
  expect(await refusedOf(['2001:db8:2:2::1'])).toBe(0);
});
