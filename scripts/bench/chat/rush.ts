import { setTimeout as sleep } from 'node:timers/promises';
import { TELEGRAM_TOKEN } from '../../../test/support/chat/telegram-stand-in.ts';
import { openSqliteFile } from '../databases.ts';
import {
  atMost,
  exactly,
  type Figure,
  figure,
  inMs,
  ms,
  percent,
  percentile,
  seconds,
  whole,
} from '../figure.ts';
import { progress } from '../progress.ts';
import { Remote } from '../remote.ts';
import { type BenchService, metricAt, startApi } from '../service.ts';
import type { Prober } from './prober.ts';
import type { BenchTelegram } from './telegram.ts';

const PEOPLE = 1_000;
const ALERTS = 10_000;
const IDLE_MS = 20_000;
const PATH = '/api/v1/alerts/latest';
const LOOP = 'nodejs_eventloop_lag_p99_seconds';
/** What the timer of Node.js's histogram waits between two samples. */
const SAMPLE_MS = 10;

/** A thousand users write within a second, and then a thousand ask for a key, while a client uses the API. */
export async function benchRush(): Promise<readonly Figure[]> {
  await using telegram = new Remote<BenchTelegram>(new URL('./telegram.ts', import.meta.url));
  await using prober = new Remote<Prober>(new URL('./prober.ts', import.meta.url));
  await using database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  const bot = { TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_API_ROOT: await telegram.call('url') };
  await using service = await startApi(database.url, { ROLES: 'api,bots', ...bot });
  await telegram.call('start', 1, 1);
  const watched = { service, prober };
  await watch(watched, () => sleep(IDLE_MS));
  const idle = await watch(watched, () => sleep(IDLE_MS));
  const rush = await watch(watched, () => telegram.call('start', 1_000, PEOPLE));
  progress(`${rush.result.answered} users are answered after ${rush.result.seconds.toFixed(1)} s`);
  await sleep(2_000);
  const keys = await watch(watched, () => telegram.call('keys', 100_000, PEOPLE));
  progress(`${keys.result.keys} users have a key after ${keys.result.seconds.toFixed(1)} s`);
  return [...figuresOfRush(idle, rush), ...figuresOfKeys(keys)];
}

interface Watched<Result> {
  readonly result: Result;
  /** Durations of requests. */
  readonly requests: readonly number[];
  /** Share of a core that the service used. */
  readonly cpuShare: number;
  /** 99th percentile of the delay of the event loop. */
  readonly loopMs: number;
}

async function watch<Result>(
  { service, prober }: { readonly service: BenchService; readonly prober: Remote<Prober> },
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  const { address, headers } = service;
  await prober.call('begin', { address, path: PATH, headers });
  // A scrape begins a new histogram.
  const [startedAt, cpuBefore] = [performance.now(), await service.cpuSeconds()];
  const result = await work();
  const loopMs = Math.max(0, (await metricAt(address, LOOP)) * 1_000 - SAMPLE_MS);
  const cpuShare = ((await service.cpuSeconds()) - cpuBefore) / seconds(startedAt);
  return { result, requests: await prober.call('end'), loopMs, cpuShare };
}

type Start = Awaited<ReturnType<BenchTelegram['start']>>;
type Keys = Awaited<ReturnType<BenchTelegram['keys']>>;

function figuresOfRush(idle: Watched<unknown>, rush: Watched<Start>): readonly Figure[] {
  const { answered, seconds: last, displaced, refusals } = rush.result;
  return [
    figure(
      `users answered, of ${whole(PEOPLE)} who write /start within a second`,
      whole(answered),
      exactly(answered, PEOPLE),
    ),
    figure(
      'the last answer',
      `${last.toFixed(1)} s`,
      atMost(last, 40, (limit) => `${limit} s`),
    ),
    figure('places by which an answer is out of the order of the users', whole(displaced)),
    figure('refusals (429) of Telegram meanwhile', whole(refusals)),
    figure(`\`GET ${PATH}\` while no user writes (100 a second)`, shown(idle.requests)),
    figure('the same meanwhile', shown(rush.requests), p99Aim(rush.requests)),
    figure('p99 of the delay of the event loop while no user writes', ms(idle.loopMs)),
    figure('the same meanwhile', ms(rush.loopMs), atMost(rush.loopMs, 20, inMs)),
    figure(
      'processor time of the service, without users and meanwhile',
      `${percent(idle.cpuShare)}, ${percent(rush.cpuShare)} of a core`,
    ),
  ];
}

function figuresOfKeys({ result, requests, loopMs }: Watched<Keys>): readonly Figure[] {
  const { keys, seconds: last, refusals } = result;
  return [
    figure(
      `keys, of ${whole(PEOPLE)} users who ask at the same time (three answers each)`,
      whole(keys),
      exactly(keys, PEOPLE),
    ),
    figure('the last key', `${last.toFixed(1)} s; ${whole(refusals)} refusals (429)`),
    figure(`\`GET ${PATH}\` meanwhile`, shown(requests), p99Aim(requests)),
    figure('p99 of the delay of the event loop meanwhile', ms(loopMs), atMost(loopMs, 20, inMs)),
  ];
}

function p99Aim(requests: readonly number[]) {
  return atMost(percentile(requests, 0.99), 50, (limit) => `p99 ${inMs(limit)}`);
}

function shown(requests: readonly number[]): string {
  return `p50 ${ms(percentile(requests, 0.5))}, p99 ${ms(percentile(requests, 0.99))}, slowest ${ms(Math.max(...requests))}`;
}
