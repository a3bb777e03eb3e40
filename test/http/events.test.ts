import { describe, expect, test } from 'vitest';
import { EMPTY_LOG } from '../../src/core/alerts/log/log-entry.ts';
import { checkEntry, type PublishedEntry, parseEntry } from '../../src/core/alerts/log/seal.ts';
import { alertJson, sampleAlertJson } from '../../src/http/views/alert-view.ts';
import { ENTRY_EXAMPLE } from '../../src/http/views/examples.ts';
import { sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';
import { logLines } from '../support/whole-log.ts';

describe('GET /events', () => {
  test('of the empty log has no event, and as its head 0, 64 zeros, and no time', async () => {
    const { get, issue } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    const empty = { events: [], head: { ...EMPTY_LOG, at: null }, has_more: false };
    for (const key of [undefined, secret]) expect((await get('/events', key)).body).toEqual(empty);
    // The document says int64.
    expect((await get(`/events?after=${2n ** 63n - 1n}`, secret)).body).toEqual(empty);
  });

  test('may be shared where no key was sent, and is not sent again to a caller who has it', async () => {
    const { get, issue, database } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await appendDrafts(database.log, settlementsAt(START - FREE_DELAY_MS));
    const shared = (await get('/events?limit=0')).headers;
    expect(shared.get('cache-control')).toBe('public, max-age=2');
    expect(shared.get('vary')).toContain('authorization');
    const { headers } = await get('/events?limit=0', secret);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = await get('/events?limit=0', secret, { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('its pages have every event up to the caller’s head once, and each has the hash that its text has', async () => {
    const { get, issue, database, append } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await append(...[1, 2, 3].map((id) => alertOf({ id, createdAt: START - FREE_DELAY_MS })));
    await appendDrafts(database.log, settlementsAt(START - FREE_DELAY_MS, START, START));
    const lines = await logLines(database);
    for (const [key, seen] of [
      [undefined, 4],
      [secret, 6],
    ] as const) {
      const found: unknown[] = [];
      for (let path: string | null = '/events?limit=2'; path !== null; ) {
        const { body, headers } = await get(path, key);
        expect(body.head.seq).toBe(seen);
        found.push(...body.events);
        const next = /<\/api\/v1(.*)>; rel="next"/.exec(headers.get('link') ?? '');
        expect(body.has_more).toBe(next !== null);
        path = next?.[1] ?? null;
      }
      expect(found.map((event) => JSON.stringify(event))).toEqual(lines.slice(0, seen));
    }
  });

  test('of some kinds it has these alone; with limit 0 the head; another kind is named', async () => {
    const { get, issue, database, append } = await startApi();
    const { secret } = await issue({ tier: 'pro' });
    await append(alertOf({ id: 1 }));
    await storeExits(database, exitOf({ number: 1 }));
    await appendDrafts(database.log, settlementsAt(START + 9_000));
    await append(alertOf({ id: 2, createdAt: START + 9_000 }));
    const seen = async (query: string) => {
      const { body } = await get(`/events?${query}`, secret);
      return [
        body.events.map(({ kind, seq }: PublishedEntry) => `${kind} ${seq}`),
        body.head.seq,
        body.has_more,
      ];
    };
    expect(await seen('kind=settlement,alert')).toEqual([['alert 1', 'settlement 3', 'alert 4'], 4, false]);
    expect(await seen('kind=alert&limit=1')).toEqual([['alert 1'], 4, true]);
    expect(await seen('kind=alert&after=1')).toEqual([['alert 4'], 4, false]);
    expect(await seen('kind=gap')).toEqual([[], 4, false]);
    expect(await seen('limit=0')).toEqual([[], 4, true]);
    const { status, body } = await get('/events?kind=outcome', secret);
    expect([status, body.detail[0].loc, body.detail[0].msg]).toEqual([
      422,
      ['query', 'kind'],
      expect.stringContaining("'settlement'"),
    ]);
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
