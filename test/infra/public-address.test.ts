import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/infra/public-address.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '203.0.114.1',
  '168.63.129.17',
  '2606:4700::1111',
  '2a00:1450:4001::8',
  '2620:fe::fe',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.127.0.1', '127.0.0.53', '169.254.169.254', '172.31.0.1', '192.168.1.1'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...[
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ],
  ...[
    '100::1',
    '2001:db8::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
    '::808:808',
  ],
  ...['', 'example.com', '8.8.8', '8.8.8.8/32', '[::1]'],
])('%j is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('an IPv6 address that carries an IPv4 address is what that one is', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
      const inner = octets.join('.');
      const hex = octets.map((value) => value.toString(16).padStart(2, '0')).join('');
      const carriers = [`::ffff:${inner}`, `64:ff9b::${inner}`, `2002:${hex.slice(0, 4)}:${hex.slice(4)}::1`];
      for (const address of carriers) expect(isPublicAddress(address)).toBe(isPublicAddress(inner));
    }),
  );
});
