import { Client } from 'undici';
import { onEachDatabase, seed } from './databases.ts';
import { atMost, figure, ms, percentile, whole } from './figure.ts';
import { ask } from './load.ts';
import { walletOf } from './sample-alerts.ts';
import { metricAt, startApi } from './service.ts';

/** A year of the market, and three. */
const SMALL = { alerts: 73_000, mostMs: 3 };
const LARGE = { alerts: 200_000, mostMs: 6 };
const WARM_UP_ROUNDS = 20;
const ROUNDS = 30;
const MOST_MEGABYTES = 250;

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

export function benchSearch(): Promise<readonly string[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using smallDatabase = await open();
    await using largeDatabase = await open();
    await using small = await openService(smallDatabase.url, SMALL.alerts);
    await using large = await openService(largeDatabase.url, LARGE.alerts);
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
      for (const search of SEARCHES)
        for (const service of [small, large]) {
          const time = await service.find(search);
          if (round >= WARM_UP_ROUNDS) service.times.push(time);
        }
    return [
      ...searchFigures(name, SMALL, small.times),
      ...searchFigures(name, LARGE, large.times),
      await memoryFigure(name, LARGE.alerts, large.address),
    ];
  });
}

function searchFigures(
  name: string,
  { alerts, mostMs }: typeof SMALL,
  times: readonly number[],
): readonly string[] {
  const p99 = percentile(times, 0.99);
  return [
    figure(
      `${name}, ${whole(alerts)} alerts`,
      `p50 ${ms(percentile(times, 0.5))}, p99 ${ms(p99)}`,
      atMost(p99, mostMs, ' ms'),
    ),
  ];
}

async function memoryFigure(name: string, alerts: number, address: string): Promise<string> {
  const megabytes = (await metricAt(address, 'process_resident_memory_bytes')) / 1e6;
  return figure(
    `${name}, ${whole(alerts)} alerts: memory of the process`,
    `${whole(megabytes)} MB`,
    atMost(megabytes, MOST_MEGABYTES, ' MB'),
  );
}

/** The service over so many alerts, with the times of its searches. */
async function openService(url: string, alerts: number) {
  await seed(url, { after: 0, upto: alerts });
  const service = await startApi(url);
  const client = new Client(service.address);
  await service.untilIndexIsFilled();
  return {
    address: service.address,
    find: (search: string) => ask(client, `/api/v1/alerts?${search}`, service.headers),
    times: [] as number[],
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
