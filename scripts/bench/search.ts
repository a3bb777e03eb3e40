import { Client } from 'undici';
import { onEachDatabase, seed } from './databases.ts';
import { atMost, figure, ms, percentile, whole } from './figure.ts';
import { ask } from './load.ts';
import { walletOf } from './sample-alerts.ts';
import { startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 30;
const MOST_RATIO = 2;
const MOST_COUNT_MS = 1_000;

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

/** They compile the code, and leave the first count of each of the searches above to be measured. */
const OTHER_SEARCHES = Array.from({ length: 20 }, (_, index) => [
  `min_signal=${60 + index}`,
  `category=finance&min_usdc=${3_000 + index}`,
  `search=senate+${index}&side=BUY`,
]).flat();

export function benchSearch(): Promise<readonly string[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using smallDatabase = await open();
    await using largeDatabase = await open();
    await using small = await openArchive(smallDatabase.url, SMALL);
    await using large = await openArchive(largeDatabase.url, LARGE);
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
      for (const search of SEARCHES)
        for (const archive of [small, large]) {
          const time = await archive.find(search);
          if (round >= WARM_UP_ROUNDS) archive.times.push(time);
        }
    const [p99Small, p99Large] = [percentile(small.times, 0.99), percentile(large.times, 0.99)];
    const ratio = p99Large / p99Small;
    const slowest = Math.max(...large.first);
    return [
      ...[small, large].map(({ alerts, times }) =>
        figure(
          `${name}, ${whole(alerts)} alerts`,
          `p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))}`,
        ),
      ),
      figure(
        `${name}: p99 at ${whole(LARGE)} as a multiple of p99 at ${whole(SMALL)}`,
        ratio.toFixed(2),
        atMost(ratio, MOST_RATIO),
      ),
      figure(
        `${name}: the slowest first search, which counts its matches`,
        `${ms(Math.max(...small.first))} → ${ms(slowest)}`,
        atMost(slowest, MOST_COUNT_MS, ' ms'),
      ),
    ];
  });
}

/** The service over an archive, with the times of the first search with each filter. */
async function openArchive(url: string, alerts: number) {
  await seed(url, { after: 0, upto: alerts });
  const service = await startApi(url);
  const client = new Client(service.address);
  const find = (search: string) => ask(client, `/api/v1/alerts?${search}`, service.headers);
  await service.untilArchiveIsRead();
  await service.untilWalletsAreRead();
  for (const search of OTHER_SEARCHES) await find(search);
  const first: number[] = [];
  for (const search of SEARCHES) first.push(await find(search));
  const times: number[] = [];
  return {
    alerts,
    find,
    first,
    times,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
