import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startTelegram, TELEGRAM_TOKEN } from '../../../test/support/chat/telegram-stand-in.ts';
import { openSqliteFile } from '../databases.ts';
import { atMost, exactly, type Figure, figure, median, ms, percentile, seconds, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { type BenchService, startApi } from '../service.ts';
import { askForKey } from './people.ts';
import type { Probe } from './prober.ts';

const ROUNDS = 3;
/** A thousand people a minute. */
const ROUND_MS = 20_000;
const PEOPLE = 334;
const RUSH = 1_000;
const ALERTS = 10_000;
const AIM = 2;
const PATH = '/api/v1/alerts?min_signal=60&page_size=20';

/** A thousand users get a key within a minute, while a client uses the API. */
export async function benchAsking(): Promise<readonly Figure[]> {
  const telegram = await startTelegram();
  try {
    await using database = await openSqliteFile();
    await database.seed({ after: 0, upto: ALERTS });
    const bot = { TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_API_ROOT: telegram.url };
    await using service = await startApi(database.url, { ROLES: 'api,bots', ...bot });
    const probing = probe(service);
    await askForKey(telegram, 1);
    await sleep(ROUND_MS);
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const idle = await span(() => sleep(ROUND_MS));
      const asking = await span(() =>
        people(telegram, { count: PEOPLE, withinMs: ROUND_MS, first: round * 1_000 }),
      );
      rounds.push({ idle, asking });
      await sleep(1_000);
    }
    const rush = await span(() => people(telegram, { count: RUSH, withinMs: 0, first: 100_000 }));
    const probes = await probing.end();
    const served = [...rounds.flatMap(({ asking }) => asking.result), ...rush.result];
    if (new Set(served.map(({ key }) => key)).size !== ROUNDS * PEOPLE + RUSH)
      throw new Error('a key was given twice');
    return figuresOf(rounds, rush, probes);
  } finally {
    await telegram.close();
  }
}

type Served = Awaited<ReturnType<typeof askForKey>>;

interface Span<Result> {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: Result;
}

interface Round {
  readonly idle: Span<unknown>;
  readonly asking: Span<readonly Served[]>;
}

async function people(
  telegram: Awaited<ReturnType<typeof startTelegram>>,
  { count, withinMs, first }: { readonly count: number; readonly withinMs: number; readonly first: number },
): Promise<readonly Served[]> {
  const startedAt = performance.now();
  const asking: Promise<Served>[] = [];
  for (let person = 0; person < count; person++) {
    await sleep(Math.max(0, startedAt + (person * withinMs) / count - performance.now()));
    asking.push(askForKey(telegram, first + person));
  }
  const served = await Promise.all(asking);
  progress(`${served.length} people have a key after ${seconds(startedAt).toFixed(1)} s`);
  return served;
}

async function span<Result>(work: () => Promise<Result>): Promise<Span<Result>> {
  const startedAt = performance.timeOrigin + performance.now();
  const result = await work();
  return { startedAt, endedAt: performance.timeOrigin + performance.now(), result };
}

/** Asks the API 100 times a second, from a thread of its own. */
function probe({ address, headers }: BenchService) {
  const worker = new Worker(new URL('./prober.ts', import.meta.url), {
    workerData: { address, path: PATH, headers },
  });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  return {
    end: () => {
      const probes = new Promise<readonly Probe[]>((resolve) => worker.once('message', resolve));
      worker.postMessage('end');
      return Promise.race([probes, failed]);
    },
  };
}

function figuresOf(
  rounds: readonly Round[],
  rush: Span<readonly Served[]>,
  probes: readonly Probe[],
): readonly Figure[] {
  const told = (of: readonly number[]) =>
    `p50 ${ms(percentile(of, 0.5))}, p99 ${ms(percentile(of, 0.99))}, slowest ${ms(Math.max(...of))}`;
  const during = ({ startedAt, endedAt }: Span<unknown>) =>
    probes.filter(({ at }) => at >= startedAt && at <= endedAt).map((one) => one.ms);
  const waits = (served: readonly Served[]) => served.map((one) => one.ms);
  const p99 = (of: Span<unknown>) => percentile(during(of), 0.99);
  const served = rounds.flatMap(({ asking }) => asking.result);
  const ratio = median(rounds.map(({ idle, asking }) => p99(asking) / p99(idle)));
  return [
    figure(
      `users with a key after three taps, of ${whole(ROUNDS * PEOPLE)} in ${(ROUNDS * ROUND_MS) / 1_000} s`,
      whole(served.length),
      exactly(served.length, ROUNDS * PEOPLE),
    ),
    figure('from `/start` to the key, the platform’s own time left out', told(waits(served))),
    figure(
      `\`GET ${PATH}\` while no user asks (100 a second)`,
      told(rounds.flatMap(({ idle }) => during(idle))),
    ),
    figure('the same while they ask', told(rounds.flatMap(({ asking }) => during(asking)))),
    figure(
      `its p99 as a multiple of that while no user asks (median of ${ROUNDS} rounds)`,
      ratio.toFixed(2),
      atMost(ratio, AIM),
    ),
    figure(
      `${whole(RUSH)} users at the same time`,
      `all served after ${((rush.endedAt - rush.startedAt) / 1_000).toFixed(1)} s; to the key ${told(waits(rush.result))}; the API meanwhile ${told(during(rush))}`,
    ),
  ];
}
