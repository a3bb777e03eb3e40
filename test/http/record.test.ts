import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';
import { readRecord, recordReportOf } from '../support/record-report.ts';

describe('the record', () => {
  test('is the same text with and without a key, which every cache may keep and revalidate', async () => {
    const report = recordReportOf();
    const { baseUrl, issue } = await startApi({ record: readRecord(report) });
    const { secret } = await issue();
    const open = await ask(`${baseUrl}/record.json`);
    const keyed = await ask(`${baseUrl}/api/v1/record`, { headers: { authorization: `Bearer ${secret}` } });
    const text = JSON.stringify(report);
    expect([open.status, open.text, keyed.status, keyed.text]).toEqual([200, text, 200, text]);
    expect(open.headers.get('cache-control')).toBe('public, max-age=300');
    expect(keyed.headers.get('cache-control')).toBe('private, no-cache');
    expect(keyed.headers.get('vary')).toContain('authorization');
    for (const { headers } of [open, keyed]) {
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      expect((await ask(`${baseUrl}/record.json`, { headers: known })).status).toBe(304);
    }
  });

  test('says before the first one that nothing is measured', async () => {
    const { baseUrl } = await startApi();
    const { status, body } = await ask(`${baseUrl}/record.json`);
    expect([status, body.alerts, body.results]).toEqual([200, 0, null]);
    expect(body.conclusion).toMatch(/^\w.+\.$/);
  });
});
