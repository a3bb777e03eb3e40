import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CALLER_READS, ReadTurns } from '../../src/core/alerts/alert-index/read-turns.ts';
import { alertPath } from '../../src/core/alerts/site-paths.ts';
import { pageInTurn } from '../../src/http/hooks/read-turn.ts';
import { PageCache } from '../../src/http/views/page-cache.ts';
import { recordAnswers } from '../../src/http/views/record-report-view.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { createFakeClock } from '../support/clock.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { LoopTurns } from '../support/loop-turns.ts';
import { BROWSER, startSite } from '../support/site.ts';

const ALERTS = 30;

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test('pages that are not cached are refused above ten of an address, in few bytes; cached ones and other addresses are answered', async () => {
  const { page, append, clock, database } = await startSite({
    trustProxy: true,
    publicRequestsPerMinute: null,
  });
  // Each in a thread of its own.
  await append(...range(1, ALERTS).map((id) => alertOf({ id, wallet: `0xw${id}` })));
  await clock.jump(2 * FREE_DELAY_MS);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const read = database.alerts.visible;
  const reading = vi
    .spyOn(database.alerts, 'visible')
    .mockImplementation((id, until) => gate.then(() => read(id, until)));
  const about = { 'x-forwarded-for': '192.0.2.1' };
  const ask = (id: number, address: string) => page(alertPath(id), { 'x-forwarded-for': address });
  expect((await page('/about', about)).status).toBe(200);
  const attack = range(1, CALLER_READS.total + 1).map((id) => ask(id, '192.0.2.1'));
  const refused = await Promise.race(attack);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.text).toContain('<h1>Too many requests</h1>');
  expect((await page('/about', about)).status).toBe(200);
  open();
  expect((await ask(ALERTS, '192.0.2.2')).status).toBe(200);
  await Promise.all(attack);
  expect(reading).toHaveBeenCalledTimes(CALLER_READS.total + 1);
});

/** Without time limits: a busy machine may need longer. */
const patientTurns = () => new ReadTurns(createFakeClock(0));

/** Asks from a loopback address of its own. */
function visitorOf(baseUrl: string, number: number) {
  const localAddress = `127.1.${Math.floor(number / 250)}.${(number % 250) + 1}`;
  const agent = new Agent({ keepAlive: true, localAddress });
  onTestFinished(() => agent.destroy());
  return async (path: string): Promise<number> => {
    const [answer] = (await once(get(baseUrl + path, { agent, headers: BROWSER }), 'response')) as [
      IncomingMessage,
    ];
    await once(answer.resume(), 'end');
    return answer.statusCode ?? 0;
  };
}

test('many addresses with one request each deny nobody a page: a newcomer has one before any of them has its third, without a pause between pages', async () => {
  const { baseUrl } = await startSite({ turns: patientTurns(), publicRequestsPerMinute: null });
  const turns = new LoopTurns();
  onTestFinished(() => turns.stop());
  const answered = new Array(200).fill(0);
  const statuses = new Set<number>();
  let [pages, isOver] = [0, false];
  const ask = async (visitor: ReturnType<typeof visitorOf>) => {
    pages += 1;
    statuses.add(await visitor(`/search?search=${pages}x`));
  };
  const crowd = answered.map(async (_count, number) => {
    const visitor = visitorOf(baseUrl, number);
    for (; !isOver; answered[number] += 1) await ask(visitor);
  });
  await expect.poll(() => Math.min(...answered), { timeout: 20_000 }).toBeGreaterThan(0);
  const before = [...answered];

  await ask(visitorOf(baseUrl, answered.length));

  expect(Math.max(...answered.map((count, number) => count - before[number]))).toBeLessThanOrEqual(2);
  isOver = true;
  await Promise.all(crowd);
  expect([...statuses]).toEqual([200]);
  expect(turns.count / pages).toBeLessThan(100);
});

test('where other work keeps the event loop busy, pages begin one by one, after 10 ms or a longer turn', async () => {
  const turns = patientTurns();
  const begun: number[] = [];
  let busy = setImmediate(function hold() {
    for (const end = performance.now() + 5; performance.now() < end; );
    busy = setImmediate(hold);
  });
  onTestFinished(() => clearImmediate(busy));
  const pages = range(1, 4).map((number) => {
    const request = { ip: `192.0.2.${number}`, raw: {}, signal: new AbortController().signal };
    return pageInTurn(request as FastifyRequest, { turns }, async () => begun.push(performance.now()));
  });
  await Promise.all(pages);
  const pauses = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(9);
});

test('a refusal has no frame and is under a kilobyte, a page is several', async () => {
  const { page } = await startSite({ publicRequestsPerMinute: 1 });
  expect((await page('/about')).text.length).toBeGreaterThan(3_000);
  const asked = [];
  for (const path of ['/', '/', '/', '/', '/']) asked.push(await page(path));
  const short = asked.filter(({ status }) => status !== 200);
  expect(short.map(({ status }) => status)).toEqual([429]);
  for (const { text } of short) {
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toContain('<nav');
    expect(text.length).toBeLessThan(1_024);
  }
});

test('a page is read, written and framed in turns of the event loop of their own, so that other requests wait for one only', async () => {
  const turns = new LoopTurns();
  onTestFinished(() => turns.stop());
  let [readIn, framedIn] = [0, 0];
  const record = {
    async read() {
      readIn = turns.count;
      return recordAnswers(emptyRecord());
    },
  };
  const notice = () => {
    framedIn = turns.count;
    return null;
  };
  const { page } = await startSite({ record }, {}, { notice });
  await page('/record');
  expect(framedIn - readIn).toBe(2);
});

test('a page that cannot be made is tried once more for all that wait, not once for each', async () => {
  const pages = new PageCache({ now: () => 0 });
  let attempts = 0;
  const make = () => {
    attempts += 1;
    return Promise.reject(new Error('unavailable'));
  };
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => pages.get('/', make)));
  expect(results.map(({ status }) => status)).toEqual(new Array(5).fill('rejected'));
  expect(attempts).toBe(2);
});
