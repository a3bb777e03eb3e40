import { Agent, get } from 'node:http';
import { type DatabaseKind, onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, inMs, median, ms, percentile, progress, whole } from './figure.ts';
import { walletOf } from './sample-alerts.ts';
import { type BenchService, startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 30;
const AIMS = { ratio: 2, countMs: 1_000 };

interface Archive {
  readonly url: string;
  readonly alerts: number;
}

type Searched = Awaited<ReturnType<typeof openArchive>>;

export function benchSearch(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using small = await kind.open();
    await using large = await kind.open();
    await small.seed({ after: 0, upto: SMALL });
    await large.seed({ after: 0, upto: LARGE });
    return await searchFigures(kind, [
      { url: small.url, alerts: SMALL },
      { url: large.url, alerts: LARGE },
    ]);
  });
}

/** Searches a small and a large archive in turns. */
export async function searchFigures(
  { name }: DatabaseKind,
  [smaller, larger]: readonly [Archive, Archive],
): Promise<readonly Figure[]> {
  await using small = await openArchive(smaller);
  await using large = await openArchive(larger);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const search of SEARCHES)
      for (const { ask, warm } of [small, large]) {
        const time = await ask(search);
        if (round >= WARM_UP_ROUNDS) warm.get(search)?.push(time);
      }
  const [p99Small, p99Large] = [percentileOf(small, 0.99), percentileOf(large, 0.99)];
  progress(`${name}: p99 ${ms(p99Small)} → ${ms(p99Large)}`);
  const slowest = Math.max(...large.first.values());
  return [
    ...[small, large].map((one) =>
      figure(
        `${name}, ${whole(one.alerts)} alerts`,
        `p50 ${ms(percentileOf(one, 0.5))}, p99 ${ms(percentileOf(one, 0.99))}`,
      ),
    ),
    figure(
      `${name}: p99 at ${whole(large.alerts)} as a multiple of p99 at ${whole(small.alerts)}`,
      (p99Large / p99Small).toFixed(2),
      atMost(p99Large / p99Small, AIMS.ratio),
    ),
    figure(
      `${name}: the slowest first search, which counts its matches`,
      `${ms(Math.max(...small.first.values()))} → ${ms(slowest)}`,
      atMost(slowest, AIMS.countMs, inMs),
    ),
    ...SEARCHES.map((search) =>
      figure(`${name}, ${search.name}`, `${shown(small, search)} → ${shown(large, search)}`),
    ),
  ];
}

/** The service over an archive, with the times of the first search with each filter. */
async function openArchive({ url, alerts }: Archive) {
  const service = await startApi(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (search: Search) => timeOf(service, agent, search);
  await service.untilArchiveIsRead();
  await service.untilWalletsAreRead();
  // The key is verified and the connections are open before anything is timed.
  for (const search of OTHER_SEARCHES) await ask(search);
  const first = new Map<Search, number>();
  for (const search of SEARCHES) first.set(search, await ask(search));
  return {
    ...{ service, ask, alerts, first },
    warm: new Map<Search, number[]>(SEARCHES.map((search) => [search, []])),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}

function percentileOf({ warm }: Searched, part: number): number {
  return percentile([...warm.values()].flat(), part);
}

function shown({ first, warm }: Searched, search: Search): string {
  return `${ms(median(warm.get(search) ?? []))} (first ${ms(first.get(search) ?? Number.NaN)})`;
}

export function timeOf(
  { address, headers }: Pick<BenchService, 'address' | 'headers'>,
  agent: Agent,
  { query }: Search,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(`${address}/api/v1/alerts?${query}`, { agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(performance.now() - startedAt));
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`${query} was answered ${response.statusCode}`));
    }).on('error', reject);
  });
}

export interface Search {
  readonly name: string;
  readonly query: string;
}

const search = (name: string, query: Readonly<Record<string, string>>): Search => ({
  name,
  query: String(new URLSearchParams(query)),
});

/** Each search is sent equally often, so that the 99th percentile is of the slowest. Pages have 20 alerts. */
export const SEARCHES: readonly Search[] = [
  search('no filter', {}),
  search('no filter, page 200', { page: '200' }),
  search('category', { category: 'politics' }),
  search('category and side', { category: 'crypto', side: 'SELL' }),
  search('side', { side: 'BUY' }),
  search('side, page 200', { side: 'BUY', page: '200' }),
  search('signal', { min_signal: '95' }),
  search('USDC', { min_usdc: '20000' }),
  search('category, signal and USDC', { category: 'politics', min_signal: '80', min_usdc: '5000' }),
  search('text of a tenth of the markets', { search: 'election' }),
  search('text of few markets', { search: 'warnock' }),
  search('text of no market', { search: 'zeppelin' }),
  search('text and category', { search: 'bitcoin', category: 'crypto', min_signal: '70' }),
  search('exact wallet', { search: walletOf(3) }),
];

/** Searches of which none is in the mix: they compile the code, and leave the first count of each search of the mix to be measured. */
export const OTHER_SEARCHES: readonly Search[] = Array.from({ length: 20 }, (_, index) => [
  search('another signal', { min_signal: String(60 + index) }),
  search('another category and USDC', { category: 'finance', min_usdc: String(3_000 + index) }),
  search('another text', { search: `senate ${index}`, side: 'BUY' }),
]).flat();
