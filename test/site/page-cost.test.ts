import { expect, onTestFinished, test, vi } from 'vitest';
import { CALLER_READS } from '../../src/core/alerts/archive/archive-scheduler.ts';
import { alertPath } from '../../src/core/alerts/site-paths.ts';
import { PageCache } from '../../src/http/views/page-cache.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { LoopTurns } from '../support/loop-turns.ts';
import { idleArchive } from '../support/schedules.ts';
import { startSite } from '../support/site.ts';

const ALERTS = 30;

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test('pages that are not cached are refused above ten of an address, in few bytes; cached ones and other addresses are answered', async () => {
  const { page, append, clock, database } = await startSite({
    archive: idleArchive(),
    trustProxy: true,
    publicRequestsPerMinute: null,
  });
  // Each in a thread of its own.
  await append(...range(1, ALERTS).map((id) => alertOf({ id, wallet: `0xw${id}` })));
  await clock.jump(2 * FREE_DELAY_MS);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const read = database.alerts.byId;
  const reading = vi.spyOn(database.alerts, 'byId').mockImplementation((id) => gate.then(() => read(id)));
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
    read() {
      readIn = turns.count;
      return null;
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
