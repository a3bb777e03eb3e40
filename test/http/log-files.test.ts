import { hash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { entryLine } from '../../src/core/alerts/log/seal.ts';
import { ask, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';

const OLD = START - FREE_DELAY_MS;
/** `START` is the second of January, so that the log reaches over the turn of the year. */
const DECEMBER = Date.parse('2025-12-31T23:59:59.999Z');
const TIMES = [DECEMBER - 1, DECEMBER, DECEMBER + 1, OLD, OLD + 1];

async function startWithLog(times: readonly number[] = TIMES, change: Parameters<typeof startApi>[0] = {}) {
  const api = await startApi({ publicRequestsPerMinute: null, ...change });
  const entries = await appendDrafts(api.database.log, outcomesAt(...times));
  const text = (first: number, last: number) =>
    entries
      .slice(first - 1, last)
      .map((entry) => `${entryLine(entry)}\n`)
      .join('');
  const file = (path: string, headers: Record<string, string> = {}) =>
    ask(`${api.baseUrl}/log${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
  return { ...api, entries, text, file };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => OLD - count + index);

describe('GET /log', () => {
  test('lists the months that have public entries, and the head of the free delay', async () => {
    const { file, entries } = await startWithLog();
    const { status, body } = await file('');
    expect([status, body]).toEqual([
      200,
      {
        months: [
          { month: '2025-12', first_sequence: 1, last_sequence: 2, complete: true },
          { month: '2026-01', first_sequence: 3, last_sequence: 4, complete: false },
        ],
        head: { sequence: 4, hash: entries[3]?.hash, at: new Date(OLD).toISOString() },
      },
    ]);
  });

  test('of the empty log lists nothing', async () => {
    const { file } = await startWithLog([]);
    expect((await file('')).body).toMatchObject({ months: [], head: { sequence: 0, at: null } });
  });
});

describe('GET /log/{month}.jsonl', () => {
  test('has each entry of its UTC month that is older than the free delay, a line each', async () => {
    const { file, text } = await startWithLog();
    const december = await file('/2025-12.jsonl');
    expect([december.status, december.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(december.text).toBe(text(1, 2));
    expect((await file('/2026-01.jsonl')).text).toBe(text(3, 4));
  });

  test.each(['gzip', 'br'])('is the same bytes when it is compressed (%s)', async (encoding) => {
    const { file } = await startWithLog(many(450));
    const plain = await file('/2026-01.jsonl');
    const smaller = await file('/2026-01.jsonl', { 'accept-encoding': encoding });
    expect(smaller.headers.get('content-encoding')).toBe(encoding);
    expect(smaller.text).toBe(plain.text);
  });

  test('may be kept for a year once no entry can follow, and is asked for again while it grows', async () => {
    const { file } = await startWithLog();
    const cacheOf = async (path: string) => (await file(path)).headers.get('cache-control');
    const fixed = 'public, max-age=31536000, immutable';
    expect(await cacheOf('/2025-12.jsonl')).toBe(fixed);
    expect(await cacheOf('/2026-01.jsonl')).toBe('public, max-age=2');
    expect(await cacheOf('/2026-01.jsonl?through=3')).toBe(fixed);
  });

  test('is not sent again to a caller who has it, and is when it has grown', async () => {
    const { file, clock } = await startWithLog();
    const etag = (await file('/2026-01.jsonl')).headers.get('etag') ?? '';
    const again = await file('/2026-01.jsonl', { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    await clock.advance(1_000);
    expect((await file('/2026-01.jsonl', { 'if-none-match': etag })).status).toBe(200);
  });

  test('through ends it at an entry', async () => {
    const { file, text } = await startWithLog();
    expect((await file('/2026-01.jsonl?through=3')).text).toBe(text(3, 3));
    // Of an earlier month it changes nothing.
    expect((await file('/2025-12.jsonl?through=4')).text).toBe(text(1, 2));
  });

  test.each([
    '/2025-11.jsonl',
    '/2026-02.jsonl',
    '/2026-01.jsonl?through=2',
    // Younger than the free delay, and beyond the log: the answers must not differ.
    '/2026-01.jsonl?through=5',
    '/2026-01.jsonl?through=6',
    '/2025-11.jsonl.sha256',
    '/2026-01.jsonl.sha256?through=5',
  ])('%s is a 404: there are no public entries', async (path) => {
    const { file } = await startWithLog();
    const { status, body, headers } = await file(path);
    expect([status, body.detail]).toEqual([404, expect.stringContaining('no public entries')]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each(['/%0A.jsonl', '/%E2%80%A8.jsonl.sha256', '/..%2F.jsonl', '/.jsonl'])(
    '%s is refused as any name that is no month',
    async (path) => {
      const { file } = await startWithLog();
      const { status, body } = await file(path, { accept: 'text/html' });
      expect([status, body.detail]).toEqual([422, [expect.objectContaining({ loc: ['path', 'month'] })]]);
    },
  );

  test('a HEAD has the headers, and reads no page', async () => {
    const { baseUrl, database } = await startWithLog(many(450));
    const after = vi.spyOn(database.log, 'after');
    const { status, headers, text } = await ask(`${baseUrl}/log/2026-01.jsonl`, { method: 'HEAD' });
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/plain; charset=utf-8', '']);
    expect(headers.get('etag')).toMatch(/^W\/"[0-9a-f]{64}"$/);
    expect(after.mock.calls.filter(([, { limit }]) => limit > 1)).toEqual([]);
  });
});

describe('GET /log/{month}.jsonl.sha256', () => {
  test('is the digest of the file as sha256sum writes it', async () => {
    const { file, text } = await startWithLog();
    const { status, headers, text: line } = await file('/2025-12.jsonl.sha256');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(line).toBe(`${hash('sha256', text(1, 2), 'hex')}  2025-12.jsonl\n`);
  });

  test('agrees with the file of the same through while the month grows', async () => {
    const { file, clock, entries } = await startWithLog(many(450));
    for (const through of [450, 449, 3, 450]) {
      const { text } = await file(`/2026-01.jsonl?through=${through}`);
      const { text: line } = await file(`/2026-01.jsonl.sha256?through=${through}`);
      expect(line).toBe(`${hash('sha256', text, 'hex')}  2026-01.jsonl\n`);
      await clock.advance(1_000);
    }
    expect(entries).toHaveLength(450);
  });

  test('leaves a turn of the loop to others between two pages', async () => {
    const { file, database } = await startWithLog(many(1_000));
    const read = database.log.after;
    let turn = 0;
    const turns: number[] = [];
    const tick = () => {
      turn += 1;
      if (turns.length < 10) setImmediate(tick);
    };
    setImmediate(tick);
    vi.spyOn(database.log, 'after').mockImplementation((sequence, query) => {
      if (query.limit > 1) turns.push(turn);
      return read(sequence, query);
    });
    await file('/2026-01.jsonl.sha256');
    expect(turns).toHaveLength(10);
    expect(new Set(turns).size).toBe(10);
  });

  test('once it is known the file carries it, unless it is compressed', async () => {
    const { file, text } = await startWithLog();
    const digestOf = async (headers = {}) =>
      (await file('/2025-12.jsonl', headers)).headers.get('repr-digest');
    expect(await digestOf()).toBeNull();
    await file('/2025-12.jsonl.sha256');
    expect(await digestOf()).toBe(`sha-256=:${hash('sha256', text(1, 2), 'base64')}:`);
    expect(await digestOf({ 'accept-encoding': 'br' })).toBeNull();
  });
});
