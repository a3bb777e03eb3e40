import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

test.each([
  ...words('1.1.1.1 8.8.8.8 203.0.114.1 168.63.129.17 2606:4700::1111 2a00:1450:4001::8 2620:fe::fe'),
  // They carry no internal address.
  ...words('2606:4700::5efe:8.8.8.8 2606:4700::200:5efe:8.8.8.8 2606:4700:64:64::8.8.8.8'),
  ...words('2606:4700:10::ac43:1234 2a01:4f8:a00:1::1 2a01:4f8:c0a8:101::2'),
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...words(`
    0.0.0.0 10.1.2.3 100.127.0.1 127.0.0.53 169.254.169.254 172.31.0.1 192.168.1.1 192.0.0.1 192.0.2.1
    198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 168.63.129.16 ::ffff:168.63.129.16
    255.255.255.255 :: ::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 2001:db8::1
    2001::1 2001:2::1 2001:10::1 3fff::1 5f00::1 4000::1 ::808:808 example.com 8.8.8 8.8.8.8/32 [::1]
  `),
  '',
])('%j is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('an address that may carry an internal IPv4 address is not public: ISATAP, and NAT64 with any prefix (RFC 6052)', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const internal = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    fc.constant([168, 63, 129, 16] as const),
  );
  fc.assert(
    fc.property(internal, ([a, b, c, d]) => {
      const prefix = [0x26, 0x06, 0x47, 0x00, 0x12, 0x34, 0x56, 0x78];
      const carriers = [
        [...prefix.slice(0, 4), a, b, c, d],
        [...prefix.slice(0, 5), a, b, c, 0, d],
        [...prefix.slice(0, 6), a, b, 0, c, d],
        [...prefix.slice(0, 7), a, 0, b, c, d],
        [...prefix, 0, a, b, c, d],
        [...prefix, 0, 0, 0, 0, a, b, c, d],
        [...prefix, 0, 0, 0x5e, 0xfe, a, b, c, d],
        [...prefix, 2, 0, 0x5e, 0xfe, a, b, c, d],
        [0, 0x64, 0xff, 0x9b, 0, 1, 0, 0, 0, 0, 0, 0, a, b, c, d],
      ];
      for (const bytes of carriers) {
        const whole = [...bytes, ...new Array<number>(16 - bytes.length).fill(0)];
        expect(isPublicAddress(new ipaddr.IPv6(whole).toString())).toBe(false);
      }
    }),
  );
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
