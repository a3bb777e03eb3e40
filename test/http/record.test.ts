import { describe, expect, test } from 'vitest';
import { recordAnswers } from '../../src/http/views/record-report-view.ts';
import { ask, startApi } from '../support/api-server.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { START } from '../support/rows.ts';

const PATHS = ['/record.json', '/api/v1/record'] as const;

describe('the record', () => {
  test('is the same text with and without a key, which every cache may keep and revalidate', async () => {
    const text = emptyRecord();
    const { baseUrl, issue } = await startApi({ record: { read: () => recordAnswers(text, START) } });
    const { secret } = await issue();
    const open = await ask(`${baseUrl}/record.json`);
    const keyed = await ask(`${baseUrl}/api/v1/record`, { headers: { authorization: `Bearer ${secret}` } });
    expect([open.status, open.text, keyed.status, keyed.text]).toEqual([200, text, 200, text]);
    expect(open.headers.get('cache-control')).toBe('public, max-age=300');
    expect(keyed.headers.get('cache-control')).toBe('private, no-cache');
    expect(keyed.headers.get('vary')).toContain('authorization');
    for (const { headers } of [open, keyed]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('last-modified')).toBe('Fri, 02 Jan 2026 00:00:00 GMT');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await ask(`${baseUrl}/record.json`, { headers: known })).status).toBe(304);
    }
  });

  test('says before the first one that nothing is measured, without a date', async () => {
    const { baseUrl } = await startApi();
    const { status, headers, body } = await ask(`${baseUrl}/record.json`);
    expect([status, headers.get('last-modified'), body.stages]).toEqual([200, null, []]);
    expect(body.conclusion).toMatch(/^\w.+\.$/);
  });

  test.each(PATHS)('%s is a 503 until the database was read once', async (path) => {
    const { baseUrl, issue } = await startApi({ record: { read: () => null } });
    const { secret } = await issue();
    const { status, headers, body } = await ask(baseUrl + path, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '60', 'unavailable']);
  });
});
