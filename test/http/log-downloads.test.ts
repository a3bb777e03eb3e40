import { describe, expect, test, vi } from 'vitest';
import { ArchiveScheduler } from '../../src/core/alerts/archive/archive-scheduler.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { ask, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { appendDrafts, outcomesAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { until } from '../support/until.ts';

const OLD = START - FREE_DELAY_MS;
const FILE = '/log/2026-01.jsonl';
/** A page of a file has more entries than any other read. */
const PAGE = 100;

async function startWithLog(size: number) {
  const archive = new ArchiveScheduler({ archiveConcurrency: 8 }, systemClock);
  const api = await startApi({ publicRequestsPerMinute: null, trustProxy: true, archive });
  await appendDrafts(api.database.log, outcomesAt(...new Array<number>(size).fill(OLD)));
  const { log } = api.database;
  const read = log.after;
  const pages = { count: 0, files: 0, gate: async (_page: number) => {} };
  vi.spyOn(log, 'after').mockImplementation(async (sequence, query) => {
    if (query.limit > 1) {
      pages.count += 1;
      await pages.gate(pages.count);
    } else pages.files += 1;
    return read(sequence, query);
  });
  const file = (from = '192.0.2.1', init: RequestInit = {}) =>
    fetch(api.baseUrl + FILE, {
      ...init,
      headers: { 'x-forwarded-for': from, 'accept-encoding': 'identity' },
    });
  return { ...api, pages, file };
}

function closedGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { gate: () => promise, open: resolve };
}

describe('downloads of the log', () => {
  test('are 2 of one address at the same time, and others wait for one to end', async () => {
    const { file, pages } = await startWithLog(3);
    const { gate, open } = closedGate();
    pages.gate = gate;
    const running = [file(), file()];
    await until(() => pages.count === 2);
    const refused = await file();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    open();
    for (const answer of await Promise.all(running)) await answer.text();
    expect((await file()).status).toBe(200);
  });

  test('are 8 in all, of which two read at a time: addresses share the archive like one key', async () => {
    const { file, pages, clock } = await startWithLog(3);
    const { gate, open } = closedGate();
    pages.gate = gate;
    const running = Array.from({ length: 8 }, (_, index) => file(`192.0.2.${index}`));
    await until(() => pages.files === 8 && pages.count === 2);
    const sleepers = clock.sleepers;
    const waiting = [file('192.0.2.9'), file('192.0.2.10')];
    await until(() => clock.sleepers === sleepers + 2);
    await clock.advance(25 * SECOND_MS);
    for (const { status, headers } of await Promise.all(waiting))
      expect([status, headers.get('retry-after')]).toEqual([503, '10']);
    open();
    for (const answer of await Promise.all(running)) expect(await answer.text()).toMatch(/\n$/);
    expect((await file('192.0.2.9')).status).toBe(200);
  });

  test('a client that hangs up ends the reading, and leaves its place to others', async () => {
    const { file, pages } = await startWithLog(10 * PAGE);
    const { gate, open } = closedGate();
    pages.gate = (page) => (page === 4 ? gate() : Promise.resolve());
    const hangUps = [new AbortController(), new AbortController()];
    const answers = await Promise.all(hangUps.map(({ signal }) => file(undefined, { signal })));
    await until(() => pages.count >= 4);
    for (const hangUp of hangUps) hangUp.abort();
    for (const answer of answers) await expect(answer.text()).rejects.toThrow();
    open();
    await vi.waitFor(async () => {
      const answer = await file();
      await answer.text();
      expect(answer.status).toBe(200);
    });
  });

  test('a fault in the middle breaks the connection: what came is not taken for the file', async () => {
    const { file, pages } = await startWithLog(10 * PAGE);
    pages.gate = async (page) => {
      if (page === 3) throw new Error('the database is away');
    };
    const answer = await file();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('a fault before the first byte is answered like any other, and may not be kept', async () => {
    const { baseUrl, pages } = await startWithLog(3);
    pages.gate = async () => {
      throw new Error('the database is away');
    };
    const { status, headers, body } = await ask(`${baseUrl}${FILE}?through=2`);
    expect([status, body]).toEqual([500, { detail: 'Internal server error.', code: 'internal_error' }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect([headers.get('etag'), headers.get('content-encoding')]).toEqual([null, null]);
  });
});
