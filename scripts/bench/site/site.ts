import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { playMidterms } from '../../../test/support/site/midterms.ts';
import { linksOf } from '../../../test/support/site/walk-site.ts';
import { alternate } from '../alternate.ts';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from '../databases.ts';
import { atMost, type Figure, figure, median, ms, percent, percentile, whole } from '../figure.ts';
import { Remote } from '../remote.ts';
import { sampleAlert, sampleMoment } from '../sample-alerts.ts';
import { startApi } from '../service.ts';
import type { Times, Visitors } from './visitors.ts';

const API = '/api/v1/alerts/latest';
const [VIEWS_PER_SECOND, OPEN_PAGES, ALERTS] = [200, 1_000, 10_000];
const [WARM_UPS, ROUNDS, ALERT_EVERY_MS, FREE_DELAY_MS] = [1, 5, 10_000, 300_000];
const AIMS = { cpu: 0.2, p99: 2 };
const SETTINGS = { TRUST_PROXY: 'true', PUBLIC_REQUESTS_PER_MINUTE: '60' };
const VISITORS = new URL('./visitors.ts', import.meta.url);

interface Round {
  /** Cores that the service uses. */
  readonly cpu: number;
  readonly calls: Times;
}

/** What visitors of the site cost, and what callers of the API notice of them. */
export function benchSite(): Promise<readonly Figure[]> {
  return onEachDatabase(async ({ name, open }: DatabaseKind) => {
    await using bench = await open();
    const append = await fill(bench);
    await using service = await startApi(bench.url, SETTINGS);
    const { address, headers, pid } = service;
    await service.untilWalletsAreRead();
    await using client = new Remote<Visitors>(VISITORS);
    await using visitors = new Remote<Visitors>(VISITORS);
    const paths = await pathsOf(address);
    const perSecond = (VIEWS_PER_SECOND * paths.length) / 1_000;
    const run = async (openPages: number): Promise<Round> => {
      if (openPages > 0) await visitors.call('begin', { address, pid, perSecond, paths, openPages });
      await client.call('begin', { address, pid, perSecond: 100, paths: [API], headers });
      const [startedAt, before] = [performance.now(), await service.cpuSeconds()];
      for (const _ of [1, 2]) {
        await sleep(ALERT_EVERY_MS / 2);
        await append();
        await sleep(ALERT_EVERY_MS / 2);
      }
      const cpu = (1_000 * ((await service.cpuSeconds()) - before)) / (performance.now() - startedAt);
      const calls = await client.call('end');
      if (openPages > 0) await visitors.call('end');
      return { cpu, calls };
    };
    const sides = await alternate([0, OPEN_PAGES], {
      rounds: WARM_UPS + ROUNDS,
      run,
      describe: (last) =>
        `${name}: p99 ${last.map(({ calls }) => p99Words(calls)).join(', ')}, load ${loadavg()[0]?.toFixed(1)}`,
    });
    return figuresOf(name, sides.map((rounds) => rounds.slice(WARM_UPS)) as [Round[], Round[]]);
  });
}

const p99Words = ({ clock, own }: Times) =>
  `${ms(percentile(own, 0.99))} (clock ${ms(percentile(clock, 0.99))})`;

function figuresOf(
  name: string,
  [alone, beside]: readonly [readonly Round[], readonly Round[]],
): readonly Figure[] {
  const cost = median(alone.map(({ cpu }, index) => (beside[index]?.cpu ?? Number.NaN) - cpu));
  const p99Of = (times: keyof Times) => {
    const [quiet = [], busy = []] = [alone, beside].map((rounds) =>
      rounds.map(({ calls }) => percentile(calls[times], 0.99)),
    );
    const ratios = quiet.map((p99, index) => (busy[index] ?? Number.NaN) / p99);
    const value = `${median(ratios).toFixed(2)} (${ms(median(quiet))} → ${ms(median(busy))}; of the rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`;
    return [value, atMost(median(ratios), AIMS.p99)] as const;
  };
  return [
    figure(
      `${name}: processor time of ${VIEWS_PER_SECOND} views a second and ${whole(OPEN_PAGES)} open pages`,
      `${percent(cost)} of a core`,
      atMost(cost, AIMS.cpu, percent),
    ),
    figure(
      `${name}: p99 of \`GET ${API}\` meanwhile as a multiple of that without visitors`,
      ...p99Of('own'),
    ),
    figure(`${name}: the same by the clock`, p99Of('clock')[0]),
  ];
}

/** The midterms with their prices, and an archive after them up to now. Resolves to what adds an alert that has just passed the free delay. */
async function fill(bench: BenchDatabase): Promise<() => Promise<unknown>> {
  const database = await openDatabase(bench.url);
  await playMidterms(database);
  const after = (await database.alerts.last())?.id ?? 0;
  await database.close();
  let id = after + ALERTS;
  await bench.seed({ after, upto: id, shiftMs: Date.now() - 2 * FREE_DELAY_MS - sampleMoment(id) });
  const { alerts } = await openDatabase(bench.url);
  return () => alerts.append(sampleAlert(++id, Date.now() - FREE_DELAY_MS - sampleMoment(id)));
}

/** A thousand views, of which each fifth loads the files, too. */
async function pathsOf(address: string): Promise<readonly string[]> {
  const links = linksOf(await (await fetch(address)).text());
  const of = (prefix: string) => links.filter((link) => link.startsWith(prefix));
  const alerts = [...of('/alerts/'), ...Array.from({ length: 80 }, (_, index) => `/alerts/${index + 1}`)];
  const lists = ['/markets', '/markets?sort=usdc', '/wallets', '/wallets?sort=newest', '/record', '/status'];
  const others = [
    '/about',
    '/feed.xml',
    '/search?search=Arizona+Senate',
    ...of('/markets/'),
    ...of('/wallets/'),
  ];
  const shares = [
    [['/'], 300],
    [['/?sort=strongest', '/?sort=win', '/?min_usdc=10000', '/?search=Senate', ...of('/?')], 200],
    [alerts, 270],
    [alerts.map((path) => `${path}.json`), 30],
    [[...lists, ...others], 200],
    [of('/assets/'), 200 * of('/assets/').length],
  ] as const;
  const path = (paths: readonly string[], index: number) => paths[index % paths.length] ?? '/';
  return shares.flatMap(([paths, share]) => Array.from({ length: share }, (_, index) => path(paths, index)));
}
