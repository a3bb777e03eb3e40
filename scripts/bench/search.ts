import { Agent, get } from 'node:http';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, median, ms, percentile, whole } from './figure.ts';
import { progress } from './progress.ts';
import { walletOf } from './sample-alerts.ts';
import { type BenchService, startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 5;
const FAR_PAGE_RUNS = 9;
const AIM = 2;

interface Times {
  readonly first: ReadonlyMap<Search, number>;
  readonly warm: ReadonlyMap<Search, readonly number[]>;
  readonly lastPage: number;
  /** Of the same filter; null where it has not as many. */
  readonly page1000: number | null;
}

export function benchSearch(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using database = await kind.open();
    await database.seed({ after: 0, upto: SMALL });
    const small = await measure(database, SMALL);
    await database.seed({ after: SMALL, upto: LARGE });
    return figuresOf(kind, small, await measure(database, LARGE));
  });
}

async function measure({ url }: BenchDatabase, alerts: number): Promise<Times> {
  await using service = await startApi(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (search: Search) => timeOf(service, agent, search);
  try {
    // The key is verified and the connections are open before anything is timed.
    await ask({ name: 'key', query: 'page_size=1' });
    await service.untilArchiveIsRead();
    for (const search of OTHER_SEARCHES) await ask(search);
    const first = new Map<Search, number>();
    for (const search of SEARCHES) first.set(search, await ask(search));
    const warm = new Map<Search, number[]>(SEARCHES.map((search) => [search, []]));
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      for (const search of SEARCHES) {
        const time = await ask(search);
        if (round >= WARM_UP_ROUNDS) warm.get(search)?.push(time);
      }
    }
    const pages = await timesOfFarPages(service, ask);
    progress(`${whole(alerts)} alerts: p99 ${ms(percentile([...warm.values()].flat(), 0.99))}`);
    return { first, warm, ...pages };
  } finally {
    agent.destroy();
  }
}

async function timesOfFarPages(
  { address, headers }: BenchService,
  ask: (search: Search) => Promise<number>,
): Promise<Pick<Times, 'lastPage' | 'page1000'>> {
  const filter = 'side=BUY&page_size=20';
  const answer = await fetch(`${address}/api/v1/alerts?${filter}`, { headers });
  const { total } = (await answer.json()) as { total: number };
  const last = Math.ceil(total / 20);
  const timeOfPage = async (page: number) => {
    const times: number[] = [];
    for (let run = 0; run < FAR_PAGE_RUNS; run++)
      times.push(await ask({ name: `page ${page}`, query: `${filter}&page=${page}` }));
    return median(times);
  };
  return { lastPage: await timeOfPage(last), page1000: last < 1_000 ? null : await timeOfPage(1_000) };
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

function figuresOf({ name }: DatabaseKind, small: Times, large: Times): readonly Figure[] {
  const at = (times: Times, part: number) => percentile([...times.warm.values()].flat(), part);
  const ratio = at(large, 0.99) / at(small, 0.99);
  const line = (times: Times) => `p50 ${ms(at(times, 0.5))}, p99 ${ms(at(times, 0.99))}`;
  return [
    figure(`${name}, ${whole(SMALL)} alerts`, line(small)),
    figure(`${name}, ${whole(LARGE)} alerts`, line(large)),
    figure(
      `${name}: p99 at ${whole(LARGE)} as a multiple of p99 at ${whole(SMALL)}`,
      ratio.toFixed(2),
      atMost(ratio, AIM),
    ),
    figure(
      `${name}: the slowest first search, which counts its matches`,
      `${ms(Math.max(...small.first.values()))} → ${ms(Math.max(...large.first.values()))}`,
    ),
    figure(
      `${name}: the last page of a filter that most alerts match`,
      `${ms(small.lastPage)} → ${ms(large.lastPage)}`,
    ),
    ...(large.page1000 === null ? [] : [figure(`${name}: its page 1,000`, `→ ${ms(large.page1000)}`)]),
    ...SEARCHES.map((search) =>
      figure(`${name}, ${search.name}`, `${shown(small, search)} → ${shown(large, search)}`),
    ),
  ];
}

function shown({ first, warm }: Times, search: Search): string {
  return `${ms(median(warm.get(search) ?? []))} (first ${ms(first.get(search) ?? Number.NaN)})`;
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
