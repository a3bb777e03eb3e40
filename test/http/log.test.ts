import { describe, expect, test } from 'vitest';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, parseEntry } from '../../src/core/alerts/log/seal.ts';
import { alertJson, sampleAlertJson } from '../../src/http/views/alert-view.ts';
import { ENTRY_EXAMPLE } from '../../src/http/views/examples.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';

describe('GET /log/head', () => {
  test('of the empty log is 0, 64 zeros, and no time', async () => {
    const { get, issue } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    for (const key of [undefined, secret])
      expect((await get('/log/head', key)).body).toEqual({ ...EMPTY_LOG, at: null });
    // The document says int64.
    expect((await get(`/log?after=${2n ** 63n - 1n}`, secret)).body.entries).toEqual([]);
  });

  test('may be shared where no key was sent, and is not sent again to a caller who has it', async () => {
    const { get, issue, database } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await appendDrafts(database.log, settlementsAt(START - FREE_DELAY_MS));
    const shared = (await get('/log/head')).headers;
    expect(shared.get('cache-control')).toBe('public, max-age=2');
    expect(shared.get('vary')).toContain('authorization');
    const { headers } = await get('/log/head', secret);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = await get('/log/head', secret, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });
});

test('a webhook’s body has the entry of its alert, a sample none', () => {
  const log = { seq: 7, hash: 'a'.repeat(64) };
  expect(JSON.parse(alertJson(alertOf({ id: 1, log })))).toMatchObject({ id: 1, log });
  expect(JSON.parse(sampleAlertJson(alertOf({ id: 0 })))).toMatchObject({ test: true, log: null });
});

test('the entry that the documents show has the hash that its text has', () => {
  const entry = parseEntry(ENTRY_EXAMPLE);
  const previous = { seq: ENTRY_EXAMPLE.seq - 1, hash: ENTRY_EXAMPLE.previous };
  expect(entry && checkEntry(entry, previous, sha256)).toBeNull();
});
