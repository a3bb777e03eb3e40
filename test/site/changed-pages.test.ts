import { expect, onTestFinished, test, vi } from 'vitest';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { startSite } from '../support/site.ts';
import { settleMarket, storeExits } from '../support/stored.ts';

async function startSiteWithPublicAlert() {
  const started = await startSite();
  const { append, clock, site } = started;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await append(alertOf({ id: 1 }));
  await clock.advance(FREE_DELAY_MS + 1_000);
  void site.run(stop.signal);
  await clock.asleep();
  return started;
}

test('an exit makes its page again once callers without a key may see it', async () => {
  const { page, database, clock } = await startSiteWithPublicAlert();
  const shows = async () => /Sold 60% at 71¢/.test((await page('/alerts/1')).text);
  await storeExits(database, exitOf({ number: 1, createdAt: clock.now() }));
  // The cached page would be made again after a minute anyhow.
  await clock.advance(FREE_DELAY_MS - 1);
  expect(await shows()).toBe(false);
  await clock.advance(1_000);
  await clock.asleep();
  expect(await shows()).toBe(true);
});

test('a settlement makes the page of its market again once callers without a key may see it', async () => {
  const { page, database, feed, clock } = await startSiteWithPublicAlert();
  vi.spyOn(database.alerts, 'settlementsOf').mockRejectedValueOnce(new Error('unavailable'));
  feed.announceSettlement(await settleMarket(database, { at: clock.now() }));
  const shows = async () => /Settled /.test((await page('/markets/will-the-measure-pass')).text);
  await clock.advance(FREE_DELAY_MS - 1);
  expect(await shows()).toBe(false);
  await clock.advance(1_000);
  await clock.asleep();
  // The first read of it failed.
  await clock.advance(1_000);
  await clock.asleep();
  expect(await shows()).toBe(true);
});

test('an open page that asks again gets a 304 without a read of the database, until an alert is public', async () => {
  const { append, page, database, clock } = await startSite();
  await append(alertOf({ id: 1, createdAt: clock.now() }));
  await clock.advance(FREE_DELAY_MS - 30_000);
  const tag = (await page('/')).headers.get('etag') ?? '';
  const read = vi.spyOn(database.alerts, 'search');
  await clock.advance(20_000);
  expect((await page('/', { 'if-none-match': tag })).status).toBe(304);
  expect(read).not.toHaveBeenCalled();
  await clock.advance(11_000);
  const { status, text } = await page('/', { 'if-none-match': tag });
  expect([status, text.includes('href="/alerts/1"')]).toEqual([200, true]);
});

test('no page is made again when a market without alerts is settled', async () => {
  const { feed, page, database, clock } = await startSiteWithPublicAlert();
  const read = vi.spyOn(database.alerts, 'search');
  await page('/');
  const reads = read.mock.calls.length;
  feed.announceSettlement(await settleMarket(database, { marketId: '0xother' }));
  await clock.advance(1_000);
  await clock.asleep();
  await page('/');
  expect(read.mock.calls.length).toBe(reads);
});
