import { describe, expect, test } from 'vitest';
import { networkOf } from '../../src/core/base/network.ts';
import { clientOf } from '../../src/http/hooks/client-address.ts';
import { ask, startApi } from '../support/api-server.ts';
import { stopDate } from '../support/moving-date.ts';
import { START } from '../support/rows.ts';

describe('the client of an address', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:0:7::1', '2001:db8:0:7'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
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

test.each([
  ['2001:db8:0:7', '2001:db8:0::/48'],
  ['address:2001:db8:0:7', 'address:2001:db8:0::/48'],
  ['192.0.2.1', null],
  ['::ffff:192.0.2.1', null],
  ['key:1:2:3:4', null],
  ['unknown', null],
])('the network of the client %s is %s', (client, network) => {
  expect(networkOf(client)).toBe(network);
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
