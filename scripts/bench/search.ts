import { Agent, get } from 'node:http';
import { onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, inMs, ms, percentile, progress, whole } from './figure.ts';
import { walletOf } from './sample-alerts.ts';
import { type BenchService, startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 30;
const AIMS = { ratio: 2, countMs: 1_000 };

export function benchSearch(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using small = await kind.open();
    await using large = await kind.open();
    await small.seed({ after: 0, upto: SMALL });
    await large.seed({ after: 0, upto: LARGE });
    return await searchFigures(kind.name, small.url, large.url);
  });
}

async function searchFigures(name: string, smallUrl: string, largeUrl: string): Promise<readonly Figure[]> {
  await using small = await openArchive(smallUrl, SMALL);
  await using large = await openArchive(largeUrl, LARGE);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    for (const search of SEARCHES)
      for (const { ask, warm } of [small, large]) {
        const time = await ask(search);
        if (round >= WARM_UP_ROUNDS) warm.push(time);
      }
  const [p99Small, p99Large] = [percentile(small.warm, 0.99), percentile(large.warm, 0.99)];
  progress(`${name}: p99 ${ms(p99Small)} → ${ms(p99Large)}`);
  const slowest = Math.max(...large.first);
  return [
    ...[small, large].map((one) =>
      figure(
        `${name}, ${whole(one.alerts)} alerts`,
        `p50 ${ms(percentile(one.warm, 0.5))}, p99 ${ms(percentile(one.warm, 0.99))}`,
      ),
    ),
    figure(
      `${name}: p99 at ${whole(large.alerts)} as a multiple of p99 at ${whole(small.alerts)}`,
      (p99Large / p99Small).toFixed(2),
      atMost(p99Large / p99Small, AIMS.ratio),
    ),
    figure(
      `${name}: the slowest first search, which counts its matches`,
      `${ms(Math.max(...small.first))} → ${ms(slowest)}`,
      atMost(slowest, AIMS.countMs, inMs),
    ),
  ];
}

/** The service over an archive, with the times of the first search with each filter. */
async function openArchive(url: string, alerts: number) {
  const service = await startApi(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (search: string) => timeOf(service, agent, search);
  await service.untilArchiveIsRead();
  await service.untilWalletsAreRead();
  // The key is verified and the connections are open before anything is timed.
  for (const search of OTHER_SEARCHES) await ask(search);
  const first: number[] = [];
  for (const search of SEARCHES) first.push(await ask(search));
  const warm: number[] = [];
  return {
    ask,
    alerts,
    first,
    warm,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await service[Symbol.asyncDispose]();
    },
  };
}

function timeOf(
  { address, headers }: Pick<BenchService, 'address' | 'headers'>,
  agent: Agent,
  query: string,
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

/** Each search is sent equally often, so that the 99th percentile is of the slowest. Pages have 20 alerts. */
const SEARCHES = [
  '',
  'page=200',
  'category=politics',
  'category=crypto&side=SELL',
  'side=BUY',
  'side=BUY&page=200',
  'min_signal=95',
  'min_usdc=20000',
  'category=politics&min_signal=80&min_usdc=5000',
  'search=election',
  'search=warnock',
  'search=zeppelin',
  'search=bitcoin&category=crypto&min_signal=70',
  `search=${walletOf(3)}`,
];

/** Searches of which none is in the mix: they compile the code, and leave the first count of each search of the mix to be measured. */
const OTHER_SEARCHES = Array.from({ length: 20 }, (_, index) => [
  `min_signal=${60 + index}`,
  `category=finance&min_usdc=${3_000 + index}`,
  `search=senate+${index}&side=BUY`,
]).flat();
