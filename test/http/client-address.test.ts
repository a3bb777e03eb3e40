import { describe, expect, test } from 'vitest';
import { clientOf } from '../../src/http/hooks/client-address.ts';

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
