import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { playMidterms } from '../../../test/support/site/midterms.ts';
import { linksOf } from '../../../test/support/site/walk-site.ts';
import { alternate } from '../alternate.ts';
import { type BenchDatabase, onEachDatabase } from '../databases.ts';
import { atMost, type Figure, figure, medianOver, ms, percent, percentile, whole } from '../figure.ts';
import { Remote } from '../remote.ts';
import { sampleAlert, sampleMoment } from '../sample-alerts.ts';
import { startApi } from '../service.ts';
import type { Visitors } from './visitors.ts';

const API = '/api/v1/alerts/latest';
const [VIEWS_PER_SECOND, OPEN_PAGES, ALERTS, CPU_AIM, P99_AIM] = [200, 1_000, 10_000, 0.2, 2];
const [WARM_UPS, ROUNDS, ALERT_EVERY_MS, FREE_DELAY_MS] = [1, 5, 10_000, 300_000];
const SETTINGS = { TRUST_PROXY: 'true', PUBLIC_REQUESTS_PER_MINUTE: '60' };
/** After a thousand pages have been opened at once, as no visitors do. */
const SETTLE_MS = 2_000;
const VISITORS = new URL('./visitors.ts', import.meta.url);

/** What visitors of the site cost, and what callers of the API notice of them. */
export function benchSite(): Promise<readonly Figure[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using bench = await open();
    await using archive = await fill(bench);
    await using service = await startApi(bench.url, SETTINGS);
    const { address, headers } = service;
    await service.untilWalletsAreRead();
    await using client = new Remote<Visitors>(VISITORS);
    await using visitors = new Remote<Visitors>(VISITORS);
    const paths = await pathsOf(address);
    const perSecond = (VIEWS_PER_SECOND * paths.length) / 1_000;
    const run = async (openPages: number) => {
      if (openPages > 0) await visitors.call('begin', { address, perSecond, paths, openPages });
      await sleep(SETTLE_MS);
      await client.call('begin', { address, perSecond: 100, paths: [API], headers });
      const [startedAt, before] = [performance.now(), await service.cpuSeconds()];
      for (const _ of [1, 2]) {
        await sleep(ALERT_EVERY_MS / 2);
        await archive.append();
        await sleep(ALERT_EVERY_MS / 2);
      }
      const cpu = (1_000 * ((await service.cpuSeconds()) - before)) / (performance.now() - startedAt);
      const times = await client.call('end');
      if (openPages > 0) await visitors.call('end');
      return { cpu, p99: percentile(times, 0.99) };
    };
    const rounds = WARM_UPS + ROUNDS;
    const describe = (last: readonly Awaited<ReturnType<typeof run>>[]) =>
      `${name}: p99 ${last.map(({ p99 }) => ms(p99)).join(', ')}, load ${loadavg()[0]?.toFixed(1)}`;
    const sides = await alternate([0, OPEN_PAGES], { rounds, run, describe });
    const [alone = [], beside = []] = sides.map((all) => all.slice(WARM_UPS));
    const cost = medianOver(alone, beside, (one, other) => other.cpu - one.cpu);
    return [
      figure(
        `${name}: processor time of ${VIEWS_PER_SECOND} views a second and ${whole(OPEN_PAGES)} open pages`,
        `${percent(cost)} of a core`,
        atMost(cost, CPU_AIM, percent),
      ),
      ratioFigure(
        `${name}: p99 of \`GET ${API}\` meanwhile as a multiple of that without visitors`,
        ...[alone, beside].map((all) => all.map(({ p99 }) => p99)),
      ),
    ];
  });
}

function ratioFigure(what: string, quiet: readonly number[] = [], busy: readonly number[] = []): Figure {
  const ratios = quiet.map((p99, index) => (busy[index] ?? Number.NaN) / p99);
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  const [ratio = 0, alone = 0, beside = 0] = [ratios, quiet, busy].map((values) => percentile(values, 0.5));
  const value = `${ratio.toFixed(2)} (${ms(alone)} → ${ms(beside)}; rounds ${each})`;
  return figure(what, value, atMost(ratio, P99_AIM));
}

/** The midterms with their prices, and an archive after them up to now. `append` adds an alert that has just passed the free delay. */
export async function fill(bench: BenchDatabase) {
  const database = await openDatabase(bench.url);
  await playMidterms(database);
  const after = (await database.alerts.last())?.id ?? 0;
  await database.close();
  let id = after + ALERTS;
  await bench.seed({ after, upto: id, shiftMs: Date.now() - 2 * FREE_DELAY_MS - sampleMoment(id) });
  const { alerts, close } = await openDatabase(bench.url);
  const append = () => alerts.append(sampleAlert(++id, Date.now() - FREE_DELAY_MS - sampleMoment(id)));
  return { append, [Symbol.asyncDispose]: close };
}

/** A thousand views, of which each fifth loads the files, too. */
async function pathsOf(address: string): Promise<readonly string[]> {
  const links = linksOf(await (await fetch(address)).text());
  const of = (prefix: string) => links.filter((link) => link.startsWith(prefix));
  const alerts = [...of('/alerts/'), ...Array.from({ length: 80 }, (_, index) => `/alerts/${index + 1}`)];
  const others = ['/markets?sort=usdc', '/feed.xml', '/search?search=Arizona+Senate'];
  const pages = ['/markets', '/record', '/status', '/about'].flatMap(of);
  const shares = [
    [['/'], 300],
    [['/?sort=strongest', '/?sort=win', '/?min_usdc=10000', '/?search=Senate', ...of('/?')], 200],
    [alerts, 270],
    [alerts.map((path) => `${path}.json`), 30],
    [[...pages, ...others], 200],
    [of('/assets/'), 200 * of('/assets/').length],
  ] as const;
  return shares.flatMap(([paths, share]) =>
    Array.from({ length: share }, (_, index) => paths[index % paths.length] ?? '/'),
  );
}
