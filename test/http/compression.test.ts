import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { encodingFor } from '../../src/http/hooks/compression.ts';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';

async function startWithAlerts() {
  const api = await startApi();
  const { secret } = await api.issue({ tier: 'enterprise' });
  await api.append(
    ...Array.from({ length: 30 }, (_, index) => alertOf({ id: index + 1, marketId: `0xm${index}` })),
  );
  const asked = async (path: string, encoding?: string, method: 'GET' | 'HEAD' = 'GET') => {
    const url = path === '/llms.txt' ? path : `/api/v1${path}`;
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    };
    // `fetch` takes compression away before a test can see it.
    const { statusCode: status, body, ...answer } = await request(api.baseUrl + url, { method, headers });
    return { ...answer, status, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  return { ...api, asked };
}

const LARGE = [
  '/alerts/latest',
  '/alerts?page_size=30',
  '/hot-markets?period=30d',
  '/openapi.json',
  '/llms.txt',
];
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync };

describe('compression', () => {
  test.each(LARGE)('%s comes smaller to who takes it, and is the same inside', async (path) => {
    const { asked } = await startWithAlerts();
    const plain = await asked(path);
    expect([plain.status, plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      200,
      undefined,
      expect.stringContaining('accept-encoding'),
    ]);
    for (const encoding of ['br', 'gzip'] as const) {
      for (const time of ['first', 'again']) {
        const { headers, bytes } = await asked(path, encoding);
        expect([time, headers['content-encoding'], headers['vary']]).toEqual([
          time,
          encoding,
          plain.headers['vary'],
        ]);
        expect(Number(headers['content-length'])).toBe(bytes.length);
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(UNPACK[encoding](bytes).equals(plain.bytes)).toBe(true);
        expect(headers['etag']).toBe(plain.headers['etag']);
      }
    }
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*;q=0', null],
    ['identity', null],
    ['identity, br;q=0.5, gzip;q=0.8', null],
    ['identity;q=0.5, br;q=0.4, *;q=0.1', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['br;q=nonsense', null],
    ['', null],
    ['deflate', null],
  ])('Accept-Encoding: %s gives %s', (accepted, expected) => {
    expect(encodingFor(accepted)).toBe(expected);
  });

  test('small answers are sent as they are', async () => {
    const { asked } = await startWithAlerts();
    for (const path of ['/alerts?page_size=1', '/me', '/alerts?page=x']) {
      const { headers, bytes } = await asked(path, 'br, gzip');
      expect([path, headers['content-encoding']]).toEqual([path, undefined]);
      expect(bytes.length).toBeLessThan(1_100);
    }
  });
});
