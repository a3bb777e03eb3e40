import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startTelegram, TELEGRAM_TOKEN } from '../../../test/support/chat/telegram-stand-in.ts';
import { openSqliteFile } from '../databases.ts';
import { type Figure, ms, note, percentile, seconds, whole } from '../figure.ts';
import { progress } from '../progress.ts';
import { type BenchService, startApi } from '../service.ts';
import { askForKey } from './people.ts';
import type { Probe } from './prober.ts';

const PEOPLE = 1_000;
const WITHIN_MS = 60_000;
const IDLE_MS = 20_000;
const ALERTS = 10_000;
const AIM = 2;
const PATH = '/api/v1/alerts?min_signal=60&page_size=20';

/** A thousand people get a key within a minute, while somebody uses the API. */
export async function benchAsking(): Promise<readonly Figure[]> {
  const telegram = await startTelegram();
  const database = await openSqliteFile();
  await database.seed({ after: 0, upto: ALERTS });
  const service = await startApi(database.url, {
    settings: { ROLES: 'api,bots', TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_API_ROOT: telegram.url },
  });
  try {
    const probing = probe(service);
    await askForKey(telegram, 1);
    await sleep(1_000);
    const idle = await span(() => sleep(IDLE_MS));
    const asking = await span(() => people(telegram, { first: 100, everyMs: WITHIN_MS / PEOPLE }));
    const rush = await span(() => people(telegram, { first: 100_000, everyMs: 0 }));
    const later = await span(() => sleep(IDLE_MS));
    const probes = await probing.end();
    const keys = [...asking.result, ...rush.result].map(({ key }) => key);
    if (new Set(keys).size !== 2 * PEOPLE) throw new Error('a key was given twice');
    const during = (from: { startedAt: number; endedAt: number }) =>
      probes.filter(({ at }) => at >= from.startedAt && at <= from.endedAt).map((one) => one.ms);
    return figuresOf(
      { idle: [...during(idle), ...during(later)], asking: during(asking), rush: during(rush) },
      { asking: asking.result.map((one) => one.ms), rush: rush.result.map((one) => one.ms) },
      rush.endedAt - rush.startedAt,
    );
  } finally {
    await service.stop();
    await database.drop();
    await telegram.close();
  }
}

async function people(
  telegram: Awaited<ReturnType<typeof startTelegram>>,
  { first, everyMs }: { readonly first: number; readonly everyMs: number },
) {
  const startedAt = performance.now();
  const asking: ReturnType<typeof askForKey>[] = [];
  for (let person = 0; person < PEOPLE; person++) {
    await sleep(Math.max(0, startedAt + person * everyMs - performance.now()));
    asking.push(askForKey(telegram, first + person));
  }
  const served = await Promise.all(asking);
  progress(`${served.length} people have a key after ${seconds(startedAt).toFixed(1)} s`);
  return served;
}

async function span<Result>(work: () => Promise<Result>) {
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
  api: Readonly<Record<'idle' | 'asking' | 'rush', readonly number[]>>,
  waits: Readonly<Record<'asking' | 'rush', readonly number[]>>,
  rushMs: number,
): readonly Figure[] {
  const told = (of: readonly number[]) =>
    `p50 ${ms(percentile(of, 0.5))}, p99 ${ms(percentile(of, 0.99))}, slowest ${ms(Math.max(...of))}`;
  const ratio = percentile(api.asking, 0.99) / percentile(api.idle, 0.99);
  return [
    {
      what: `people of ${whole(PEOPLE)} within ${WITHIN_MS / 1_000} s who got a key in three taps`,
      value: whole(waits.asking.length),
      aim: whole(PEOPLE),
      isMet: waits.asking.length === PEOPLE,
    },
    note('from `/start` to the key, the platform’s own time left out', told(waits.asking)),
    note(`\`GET ${PATH}\` while nobody asks (100 a second)`, told(api.idle)),
    note('the same while they ask', told(api.asking)),
    {
      what: 'its p99 as a multiple of that while nobody asks',
      value: ratio.toFixed(2),
      aim: `≤ ${AIM}`,
      isMet: ratio <= AIM,
    },
    note(
      `${whole(PEOPLE)} people all at once`,
      `all served after ${(rushMs / 1_000).toFixed(1)} s; to the key ${told(waits.rush)}; the API meanwhile ${told(api.rush)}`,
    ),
  ];
}
