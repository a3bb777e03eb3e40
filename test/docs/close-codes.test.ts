import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { streamEndOf } from '../../clients/typescript/src/stream-end.ts';
import { CLOSE_CODES, RECONNECT_RULE } from '../../src/core/delivery/stream/close-codes.ts';
import { startSite } from '../support/site.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const inOneLine = (text: string) => text.replaceAll('`', '').replaceAll(/\s+/g, ' ');
const codes = Object.values(CLOSE_CODES);

test('a client comes back after 4408 and 4409, and after no other code from 4400 to 4499', () => {
  expect(RECONNECT_RULE).toBe(
    'After 4408 and 4409 reconnect with since_id; after any other code from 4400 to 4499 do not reconnect unchanged.',
  );
  const every = Array.from({ length: 100 }, (_, index) => 4400 + index);
  expect(every.filter((code) => streamEndOf(code, null) === null)).toEqual([4408, 4409]);
  for (const { code, isWorthRetrying } of codes)
    expect([code, streamEndOf(code, null) === null]).toEqual([code, isWorthRetrying]);
});

test.each(['docs/api.md', 'clients/typescript/README.md', 'clients/python/README.md'])('%s says so', (path) =>
  expect(inOneLine(read(path))).toContain(RECONNECT_RULE),
);

test.each(['/llms.txt', '/api/v1/openapi.json', '/api/v1/asyncapi.json'])('%s says so', async (path) => {
  const { page } = await startSite();
  expect(inOneLine((await page(path)).text)).toContain(RECONNECT_RULE);
});
