import { setTimeout as sleep } from 'node:timers/promises';
import { alertPath } from '../../../src/core/alerts/site-paths.ts';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { playMidterms } from '../../../test/support/site/midterms.ts';
import { linksOf } from '../../../test/support/site/walk-site.ts';
import type { Prober } from '../chat/prober.ts';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from '../databases.ts';
import {
  atMost,
  exactly,
  type Figure,
  figure,
  mean,
  median,
  ms,
  percent,
  percentile,
  whole,
} from '../figure.ts';
import { progress } from '../progress.ts';
import { Remote } from '../remote.ts';
import { sampleAlert, sampleMoment } from '../sample-alerts.ts';
import { type BenchService, startApi } from '../service.ts';
import type { Visitors } from './visitors.ts';

const VIEWS_PER_SECOND = 200;
const LIVE_PAGES = 1_000;
const ALERTS = 10_000;
const ALERT_EVERY_MS = 10_000;
const FREE_DELAY_MS = 300_000;
const ROUNDS = 3;
const ROUND_MS = 20_000;
const WARM_UP_MS = 10_000;
const PATH = '/api/v1/alerts/latest';
const CPU_MAX = 0.2;
const P99_MAX = 2;

/** What visitors of the site cost, and what callers of the API notice of them. */
export function benchSite(): Promise<readonly Figure[]> {
  return onEachDatabase(onDatabase);
}

async function onDatabase({ name, open }: DatabaseKind): Promise<readonly Figure[]> {
  await using bench = await open();
  await fill(bench);
  await using service = await startApi(bench.url, { TRUST_PROXY: 'true', PUBLIC_REQUESTS_PER_MINUTE: '60' });
  await using prober = new Remote<Prober>(new URL('../chat/prober.ts', import.meta.url));
  await using visitors = new Remote<Visitors>(new URL('./visitors.ts', import.meta.url));
  const database = await openDatabase(bench.url);
  try {
    const parts = { service, prober, visitors, database, visit: await visitOf(service) };
    await quiet(parts, WARM_UP_MS);
    await visited(parts, WARM_UP_MS);
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const [idle, busy] = [await quiet(parts, ROUND_MS), await visited(parts, ROUND_MS)];
      progress(`${name}, round ${round}: ${percent(busy.cpuShare - idle.cpuShare)} of a core`);
      rounds.push({ idle, busy });
    }
    return figuresOf(name, rounds);
  } finally {
    await database.close();
  }
}

/** The midterms with their prices, and an archive after them up to now. */
async function fill(bench: BenchDatabase): Promise<void> {
  const database = await openDatabase(bench.url);
  await playMidterms(database);
  const after = (await database.alerts.last())?.id ?? 0;
  await database.close();
  const upto = after + ALERTS;
  await bench.seed({ after, upto, shiftMs: Date.now() - 2 * FREE_DELAY_MS - sampleMoment(upto) });
}

/** Half of the views are of lists, a third of alerts, the others of markets and wallets and of the pages in the header. */
async function visitOf({ address }: BenchService) {
  const read = async (path: string) => linksOf(await (await fetch(address + path)).text());
  const links = await read('/');
  const of = (prefix: string) => links.filter((link) => link.startsWith(prefix));
  const lists = ['/', '/', '/', ...of('/?')];
  const alerts = [...of('/alerts/'), ...Array.from({ length: 80 }, (_, index) => alertPath(index + 1))];
  const others = [...of('/markets/'), ...of('/wallets/'), '/record', '/status', '/developers', '/about'];
  const shares = [
    [lists, 0.5],
    [alerts, 0.33],
    [others, 0.17],
  ] as const;
  const paths = shares.flatMap(([group, share]) =>
    Array.from({ length: Math.round(share * 1_000) }, (_, index) => group[index % group.length] ?? '/'),
  );
  return { address, perSecond: VIEWS_PER_SECOND, paths, files: of('/assets/') };
}

interface Parts {
  readonly service: BenchService;
  readonly prober: Remote<Prober>;
  readonly visitors: Remote<Visitors>;
  readonly database: Database;
  readonly visit: Awaited<ReturnType<typeof visitOf>>;
}

/** A client of the API alone. */
async function quiet({ service, prober }: Parts, durationMs: number) {
  const { address, headers } = service;
  await prober.call('begin', { address, path: PATH, headers });
  const cpuShare = await cpuShareOf(service, () => sleep(durationMs));
  return { cpuShare, requests: await prober.call('end') };
}

/** The same beside visitors and open pages, which alerts reach. */
async function visited(parts: Parts, durationMs: number) {
  const { visitors, visit } = parts;
  await visitors.call('connect', visit.address, LIVE_PAGES);
  await visitors.call('begin', visit);
  const stop = new AbortController();
  const publishing = publish(parts.database, stop.signal);
  const measured = await quiet(parts, durationMs);
  stop.abort();
  await publishing;
  return { ...measured, seen: await visitors.call('end') };
}

async function cpuShareOf({ cpuSeconds }: BenchService, work: () => Promise<void>): Promise<number> {
  const [startedAt, before] = [performance.now(), await cpuSeconds()];
  await work();
  return ((await cpuSeconds()) - before) / ((performance.now() - startedAt) / 1_000);
}

/** Alerts that have just passed the free delay. */
async function publish({ alerts }: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(ALERT_EVERY_MS / 2, null, { signal }).catch(() => {});
    if (signal.aborted) return;
    const id = ((await alerts.last())?.id ?? 0) + 1;
    await alerts.append(sampleAlert(id, Date.now() - FREE_DELAY_MS - sampleMoment(id)));
    await sleep(ALERT_EVERY_MS / 2, null, { signal }).catch(() => {});
  }
}

interface Round {
  readonly idle: Awaited<ReturnType<typeof quiet>>;
  readonly busy: Awaited<ReturnType<typeof visited>>;
}

function figuresOf(name: string, rounds: readonly Round[]): readonly Figure[] {
  const costs = rounds.map(({ idle, busy }) => busy.cpuShare - idle.cpuShare);
  const p99 = (requests: readonly number[]) => percentile(requests, 0.99);
  const ratios = rounds.map(({ idle, busy }) => p99(busy.requests) / p99(idle.requests));
  const seen = rounds.map(({ busy }) => busy.seen);
  const perSecond = (counts: readonly number[]) => whole(mean(counts) / (ROUND_MS / 1_000));
  const [idle, busy] = [
    rounds.flatMap((round) => round.idle.requests),
    rounds.flatMap((round) => round.busy.requests),
  ];
  return [
    figure(
      `${name}: processor time of ${VIEWS_PER_SECOND} views a second and ${whole(LIVE_PAGES)} open pages (median of ${ROUNDS} rounds)`,
      `${percent(median(costs))} of a core (${costs.map(percent).join(', ')})`,
      atMost(median(costs), CPU_MAX, percent),
    ),
    figure(
      `${name}: p99 of \`GET ${PATH}\` meanwhile as a multiple of that without visitors (median of ${ROUNDS} rounds)`,
      ratios.length === 0
        ? ''
        : `${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
      atMost(median(ratios), P99_MAX),
    ),
    figure(`${name}: it without visitors and meanwhile (100 a second)`, `${shown(idle)}; ${shown(busy)}`),
    figure(
      `${name}: served a second`,
      `${perSecond(seen.map(({ pages }) => pages))} views, ${perSecond(seen.map(({ files }) => files))} files, ${perSecond(seen.map(({ again }) => again))} pages read again`,
    ),
    figure(
      `${name}: a view`,
      `p50 ${ms(median(seen.map(({ p50Ms }) => p50Ms)))}, p99 ${ms(median(seen.map(({ p99Ms }) => p99Ms)))}`,
    ),
    figure(
      `${name}: events that reached open pages, of the alerts published`,
      whole(mean(seen.map(({ events }) => events)) / LIVE_PAGES),
      exactly(mean(seen.map(({ events }) => events)) / LIVE_PAGES, ROUND_MS / ALERT_EVERY_MS),
    ),
  ];
}

function shown(requests: readonly number[]): string {
  return `p50 ${ms(percentile(requests, 0.5))}, p99 ${ms(percentile(requests, 0.99))}`;
}
