import { expect, test } from 'vitest';
import { ask, startApi } from '../support/api-server.ts';

test('/sandbox/alerts.json is a day of full alerts with their outcomes, each marked, of every type, without a key', async () => {
  const { baseUrl } = await startApi();
  const { status, headers, body } = await ask(`${baseUrl}/sandbox/alerts.json`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const etag = headers.get('etag') ?? '';
  const again = await ask(`${baseUrl}/sandbox/alerts.json`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect(body.sample).toBe(true);
  expect(body.alerts.length).toBeGreaterThan(10);
  const types = new Set<string>();
  for (const { sample, alert_type, created_at, resolved, won, log } of body.alerts) {
    types.add(alert_type);
    expect([sample, created_at.slice(0, 10), resolved, typeof won, log]).toEqual([
      true,
      body.day,
      true,
      'boolean',
      null,
    ]);
  }
  expect([...types].toSorted()).toEqual(['cluster', 'fresh', 'fresh_accumulator']);
});
