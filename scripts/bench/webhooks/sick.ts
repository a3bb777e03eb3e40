import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure, figure, median, medianOver, ms, percentile } from '../figure.ts';
import { progress } from '../progress.ts';
import { type DeliveryBench, openDeliveryBench } from './delivery-bench.ts';

const TARGETS = { good: 100, uncounted: 80, hanging: 20, failing: 20, dripping: 20, refusing: 20 };
const ROUNDS = 3;
const ALERTS = 50;
/** Warm-up alerts: they open connections and reveal receivers that do not answer. */
const WARM_UP_ALERTS = 20;
const EVERY_MS = 100;
/** Requests in flight to the sick ones have ended by then. */
const REST_MS = 6_000;
const AIM = 1.2;

/** Delivery times of healthy receivers: alone, beside 80 more healthy ones, and beside 80 sick ones. */
export async function benchSick(): Promise<readonly Figure[]> {
  await using bench = await openDeliveryBench(TARGETS);
  const { good, uncounted, ...others } = bench.urls;
  const sides = { alone: [], healthy: uncounted, sick: Object.values(others).flat() };
  const rounds: Record<keyof typeof sides, number[][]> = { alone: [], healthy: [], sick: [] };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  await bench.setPaused([...sides.healthy, ...sides.sick], true);
  await round(bench, good.length);
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const name of names) {
      await bench.setPaused(sides[name], false);
      rounds[name].push(await round(bench, good.length));
      await bench.setPaused(sides[name], true);
      await sleep(REST_MS);
    }
    progress(names.map((name) => `p99 ${ms(p99(rounds[name].at(-1) ?? []))} ${name}`).join(', '));
  }
  return figuresOf(rounds);
}

function figuresOf(rounds: Readonly<Record<'alone' | 'healthy' | 'sick', number[][]>>): readonly Figure[] {
  const told = (of: number[][]) => `p50 ${ms(percentile(of.flat(), 0.5))}, p99 ${ms(median(of.map(p99)))}`;
  const ratioTo = (base: number[][]) =>
    medianOver(rounds.sick, base, (sick, other) => p99(sick) / p99(other));
  const ratio = ratioTo(rounds.alone);
  return [
    figure(`${TARGETS.good} healthy receivers alone, from the alert to its arrival`, told(rounds.alone)),
    figure(`beside ${TARGETS.uncounted} more healthy ones`, told(rounds.healthy)),
    figure(`beside ${TARGETS.uncounted} that hang, answer 500, drip or refuse`, told(rounds.sick)),
    figure(
      `p99 beside sick ones, as a multiple of that alone (median of ${ROUNDS} rounds)`,
      ratio.toFixed(2),
      atMost(ratio, AIM),
    ),
    figure('the same as a multiple of that beside as many healthy ones', ratioTo(rounds.healthy).toFixed(2)),
  ];
}

function p99(waits: readonly number[]): number {
  return percentile(waits, 0.99);
}

let published = 0;

async function round(bench: DeliveryBench, receivers: number): Promise<number[]> {
  const publishedAt = new Map<number, number>();
  const came = bench.expect((WARM_UP_ALERTS + ALERTS) * receivers);
  const first = published + WARM_UP_ALERTS;
  for (let alert = 0; alert < WARM_UP_ALERTS + ALERTS; alert++) {
    published += 1;
    publishedAt.set(published, performance.timeOrigin + performance.now());
    await bench.service.call('publish');
    await sleep(EVERY_MS);
  }
  const counted = (await came).filter(({ alert }) => alert > first);
  return counted.map(({ alert, at }) => at - (publishedAt.get(alert) ?? Number.NaN));
}
