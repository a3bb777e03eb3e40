import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, ms, note, percentile } from '../figure.ts';
import { progress } from '../progress.ts';
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts';

const TARGETS = { good: 100, hanging: 20, failing: 20, dripping: 20, refusing: 20 };
const ROUNDS = 4;
const ALERTS = 50;
const EVERY_MS = 100;
/** What is under way to the sick ones has ended by then, and so have idle connections. */
const REST_MS = 6_000;
const AIM = 1.2;

/** How long healthy receivers wait for an alert, with 80 sick ones beside them and without. */
export async function benchSick(): Promise<readonly Figure[]> {
  const bench = await openDeliveryBench(TARGETS);
  const { good, ...others } = bench.urls;
  const sick = Object.values(others).flat();
  const alone: number[][] = [];
  const beside: number[][] = [];
  try {
    await bench.setPaused(sick, true);
    await round(bench, good.length);
    for (let turn = 0; turn < ROUNDS; turn++) {
      alone.push(await round(bench, good.length));
      await bench.setPaused(sick, false);
      await sleep(REST_MS);
      beside.push(await round(bench, good.length));
      await bench.setPaused(sick, true);
      await sleep(REST_MS);
      progress(`p99 ${ms(p99(alone.at(-1) ?? []))} alone, ${ms(p99(beside.at(-1) ?? []))} beside sick ones`);
    }
  } finally {
    await bench.close();
  }
  const ratio = median(beside.map((waits, at) => p99(waits) / p99(alone[at] ?? [])));
  const told = (rounds: number[][]) =>
    `p50 ${ms(percentile(rounds.flat(), 0.5))}, p99 ${ms(median(rounds.map(p99)))}`;
  return [
    note(`${TARGETS.good} healthy receivers alone, from the alert to its arrival`, told(alone)),
    note(`beside ${sick.length} that hang, answer 500, drip or refuse`, told(beside)),
    {
      what: `healthy receivers’ p99 beside sick ones, as a multiple of that alone (median of ${ROUNDS} rounds)`,
      value: ratio.toFixed(2),
      aim: `≤ ${AIM}`,
      isMet: ratio <= AIM,
    },
  ];
}

function p99(waits: readonly number[]): number {
  return percentile(waits, 0.99);
}

let published = 0;

async function round(bench: DeliveryBench, receivers: number): Promise<number[]> {
  const publishedAt = new Map<number, number>();
  const came = bench.expect(ALERTS * receivers);
  for (let alert = 0; alert < ALERTS; alert++) {
    published += 1;
    publishedAt.set(published, performance.timeOrigin + performance.now());
    await bench.service.publish();
    await sleep(EVERY_MS);
  }
  return (await came).map(({ alert, at }) => at - (publishedAt.get(alert) ?? Number.NaN));
}
