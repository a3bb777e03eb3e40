import { describe, expect, test } from 'vitest';
import { demoHead } from '../../src/cli/demo-head.ts';

/** As long as they get. */
const address = 'http://127.0.0.1:65535';
const secret = (letter: string) => `sk_live_${letter.repeat(43)}`;
const secrets = { free: secret('f'), pro: secret('p'), enterprise: secret('e') };

describe('the head of the demo', () => {
  const lines = demoHead({ address, secrets }, 'linux');

  test('begins with the address of the page', () => {
    expect(lines[0]).toMatch(/^Page +http:\/\/127\.0\.0\.1:65535\/$/);
  });

  test('breaks no address, key or call at 80 columns, and leaves room for what follows on 24 rows', () => {
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  test('has calls that work as they are when pasted as one block', () => {
    const calls = lines.slice(lines.indexOf('To paste into another terminal:') + 1);
    expect(calls.slice(0, 3)).toEqual([
      `KEY=${secrets.pro}`,
      `URL=${address}`,
      'curl -H "Authorization: Bearer $KEY" "$URL/api/v1/alerts/latest?limit=3"',
    ]);
    expect(calls.at(-1)).toBe('TIPOFF_API_KEY=$KEY npm run -s watch -- --url $URL --since-id 0');
  });

  test('has calls without variables on Windows', () => {
    expect(demoHead({ address, secrets }, 'win32').at(-1)).toBe(
      `curl.exe -H "Authorization: Bearer ${secrets.pro}" "${address}/api/v1/alerts/preview?min_signal=80"`,
    );
  });
});
