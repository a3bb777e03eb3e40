import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { openDatabase } from '../../src/infra/database/database.ts';
import { playMidterms } from '../../test/support/site/midterms.ts';
import { linksOf } from '../../test/support/site/walk-site.ts';
import { storeAlerts } from '../../test/support/stored.ts';
import { alternate, medianOver } from './alternate.ts';
import { onEachDatabase, seed } from './databases.ts';
import { atMost, figure, median, ms, percentile, whole } from './figure.ts';
import { ask, askEvenly } from './load.ts';
import { sampleAlert } from './sample-alerts.ts';
import { startApi, startProgram } from './service.ts';
import type { Visitors } from './visitors.ts';

const API = '/api/v1/alerts/latest';
const CALLS_PER_SECOND = 100;
const CONNECTIONS = 50;
const VIEWS_PER_SECOND = 200;
const OPEN_PAGES = 1_000;
const ALERTS = 10_000;
const MOST_CPU_PERCENT = 20;
const MOST_RATIO = 2;
const ROUNDS = 5;
const ALERT_EVERY_MS = 10_000;
const FREE_DELAY_MS = 300_000;
/** As long as an open page waits: each has read itself once. */
const SETTLE_MS = 15_000;

/** What visitors of the site cost, and what callers of the API notice of them. */
export function benchSite(): Promise<readonly string[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using file = await open();
    let lastId = await fill(file.url);
    await using database = await openDatabase(file.url);
    const settings = { TRUST_PROXY: 'true', PUBLIC_REQUESTS_PER_MINUTE: '60' };
    await using service = await startApi(file.url, settings);
    const { address, headers } = service;
    await service.untilIndexIsFilled();
    const paths = await pathsOf(address);
    const measure = async () => {
      const client = new Pool(address, { connections: CONNECTIONS });
      const startedAt = performance.now();
      const before = await service.cpuSeconds();
      const calls = askEvenly(CALLS_PER_SECOND, AbortSignal.timeout(2 * ALERT_EVERY_MS), () =>
        ask(client, API, headers),
      );
      for (let alert = 0; alert < 2; alert++) {
        await sleep(ALERT_EVERY_MS / 2);
        // It has just passed the free delay.
        await storeAlerts(database, sampleAlert(++lastId, Date.now() - FREE_DELAY_MS));
        await sleep(ALERT_EVERY_MS / 2);
      }
      const cpu = (await service.cpuSeconds()) - before;
      const cpuPercent = (cpu * 100_000) / (performance.now() - startedAt);
      const p99Ms = percentile(await calls, 0.99);
      await client.close();
      return { cpuPercent, p99Ms };
    };
    const rounds = await alternate([0, OPEN_PAGES], ROUNDS, async (openPages) => {
      if (openPages === 0) return await measure();
      const visitors: Visitors = { address, paths, openPages, perSecond: VIEWS_PER_SECOND };
      await using _program = await startProgram('visitors.ts', visitors);
      await sleep(SETTLE_MS);
      return await measure();
    });
    const cost = medianOver(rounds, (alone, beside) => beside.cpuPercent - alone.cpuPercent);
    const ratio = medianOver(rounds, (alone, beside) => beside.p99Ms / alone.p99Ms);
    const [alone, beside] = [rounds.ones, rounds.others].map((all) => median(all.map(({ p99Ms }) => p99Ms)));
    return [
      figure(
        `${name}: processor time of ${VIEWS_PER_SECOND} views a second and ${whole(OPEN_PAGES)} open pages`,
        `${whole(cost)}% of a core`,
        atMost(cost, MOST_CPU_PERCENT, ' %'),
      ),
      figure(
        `${name}: p99 of \`GET ${API}\` meanwhile as a multiple of that without visitors`,
        `${ratio.toFixed(2)} (${ms(alone ?? 0)} → ${ms(beside ?? 0)})`,
        atMost(ratio, MOST_RATIO),
      ),
    ];
  });
}

/** The midterms with their prices, and an archive after them up to now. Returns the id of the last alert. */
async function fill(url: string): Promise<number> {
  await using database = await openDatabase(url);
  await playMidterms(database);
  const after = (await database.alerts.last())?.id ?? 0;
  const upto = after + ALERTS;
  await seed(url, { after, upto, endsAt: Date.now() - 2 * FREE_DELAY_MS });
  return upto;
}

/** Each is as likely as the others: the home page and what it links to, and a page of each other kind. */
async function pathsOf(address: string): Promise<readonly string[]> {
  const links = linksOf(await (await fetch(address)).text());
  const alerts = Array.from({ length: 80 }, (_, index) => `/alerts/${index + 1}`);
  const searches = ['/?sort=newest', '/?min_usdc=10000', '/?search=Senate', '/search?search=Arizona+Senate'];
  const others = ['/markets?sort=usdc', '/feed.xml', '/alerts/100.json'];
  const home = Array.from({ length: links.length }, () => '/');
  return [...home, ...links.filter((link) => !link.startsWith('/api')), ...alerts, ...searches, ...others];
}
