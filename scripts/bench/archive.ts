import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { openDatabase } from '../../src/infra/database/database.ts';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, inMs, median, ms, percentile, whole } from './figure.ts';
import { progress } from './progress.ts';
import { OTHER_SEARCHES, SEARCHES, type Search, timeOf } from './search.ts';
import { type BenchService, startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 10_000_000;
const MARKETS = 100_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 30;
const STARTS = 5;
const AIMS = { ratio: 2, startMs: 5_000, countMs: 1_000, memory: 1_500 };

/** Ten million alerts: `BENCH_ARCHIVE` names databases that have them already, as filling takes an hour. */
export function benchArchive(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using small = await kind.open();
    await using large = await kind.open(given(kind));
    await seed(small, SMALL);
    await seed(large, LARGE);
    const rows = await start(large.url);
    const starts: Start[] = [];
    while (starts.length < STARTS) starts.push(await start(large.url));
    return [
      ...startFigures(kind, rows, starts),
      ...(await searchFigures(kind, small, large)),
      ...(kind.name === 'MongoDB' ? [await memoryOfTwo(large)] : []),
    ];
  });
}

/** `{"SQLite": "sqlite:FILE", "MongoDB": "mongodb://…"}` */
function given({ name }: DatabaseKind): string | undefined {
  return (JSON.parse(process.env['BENCH_ARCHIVE'] ?? '{}') as Record<string, string>)[name];
}

async function seed(database: BenchDatabase, upto: number): Promise<void> {
  const { alerts, close } = await openDatabase(database.url);
  const after = (await alerts.last())?.id ?? 0;
  await close();
  if (after < upto) await database.seed({ after, upto, markets: MARKETS });
}

interface Start {
  /** From the start of the process until a search with a filter was answered. */
  readonly answeredMs: number;
  /** Of the processor, from the start of the process on. */
  readonly cpuMs: number;
  readonly refusals: number;
}

/** A search is sent as soon as the process listens, and each that was refused again. */
async function start(url: string): Promise<Start> {
  await using service = await startApi(url);
  let refusals = 0;
  while (!(await isAnswered(service))) refusals += 1;
  const answeredMs = performance.now() - service.startedAt;
  const cpuMs = 1_000 * (await service.cpuSeconds());
  progress(`answered after ${ms(answeredMs)}, ${ms(cpuMs)} of processor, ${refusals} refusals`);
  return { answeredMs, cpuMs, refusals };
}

async function isAnswered({ address, headers }: BenchService): Promise<boolean> {
  const answer = await fetch(`${address}/api/v1/alerts?category=politics&page_size=1`, { headers });
  await answer.arrayBuffer();
  return answer.status === 200;
}

function startFigures({ name }: DatabaseKind, rows: Start, starts: readonly Start[]): readonly Figure[] {
  const times = starts.map(({ answeredMs }) => answeredMs);
  const refusals = starts.reduce((sum, start) => sum + start.refusals, 0);
  const slowest = Math.max(...times);
  return [
    figure(
      `${name}: from the start of a process until a search with a filter is answered, slowest of ${STARTS} (median ${ms(median(times))})`,
      ms(slowest),
      atMost(slowest, AIMS.startMs, inMs),
    ),
    figure(`${name}: processor time until then`, ms(median(starts.map(({ cpuMs }) => cpuMs)))),
    figure(`${name}: searches refused until then`, String(refusals), atMost(refusals, 0)),
    figure(
      `${name}: the same for the start before, which read every alert unless columns were stored`,
      `${ms(rows.answeredMs)}, ${rows.refusals} refused`,
    ),
  ];
}

/** Both archives are searched in turns. */
async function searchFigures(
  { name }: DatabaseKind,
  small: BenchDatabase,
  large: BenchDatabase,
): Promise<readonly Figure[]> {
  await using ofSmall = await startApi(small.url);
  await using ofLarge = await startApi(large.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (service: BenchService, search: Search) => timeOf(service, agent, search);
  for (const service of [ofSmall, ofLarge]) {
    await service.untilArchiveIsRead();
    await service.untilWalletsAreRead();
    for (const search of OTHER_SEARCHES) await ask(service, search);
  }
  const counts: number[] = [];
  for (const search of SEARCHES) counts.push(await ask(ofLarge, search));
  const [smallTimes, largeTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    if (round === WARM_UP_ROUNDS) for (const times of [smallTimes, largeTimes]) times.length = 0;
    for (const search of SEARCHES) {
      smallTimes.push(await ask(ofSmall, search));
      largeTimes.push(await ask(ofLarge, search));
    }
  }
  agent.destroy();
  const ratio = percentile(largeTimes, 0.99) / percentile(smallTimes, 0.99);
  const line = (times: readonly number[]) => `p50 ${ms(median(times))}, p99 ${ms(percentile(times, 0.99))}`;
  const slowest = Math.max(...counts);
  return [
    figure(`${name}, ${whole(SMALL)} alerts, warm`, line(smallTimes)),
    figure(`${name}, ${whole(LARGE)} alerts, warm`, line(largeTimes)),
    figure(`${name}: p99 as a multiple`, ratio.toFixed(2), atMost(ratio, AIMS.ratio)),
    figure(`${name}: the slowest first count of a filter`, ms(slowest), atMost(slowest, AIMS.countMs, inMs)),
  ];
}

async function memoryOfTwo({ url }: BenchDatabase): Promise<Figure> {
  await using first = await startApi(url);
  await using second = await startApi(url);
  const sizes: number[] = [];
  for (const service of [first, second]) {
    await service.untilArchiveIsRead();
    const agent = new Agent({ keepAlive: true });
    for (const search of [...OTHER_SEARCHES, ...SEARCHES]) await timeOf(service, agent, search);
    agent.destroy();
    sizes.push(residentMb(service.pid));
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return figure(
    `two processes of the API on one MongoDB, resident memory after ${OTHER_SEARCHES.length + SEARCHES.length} filters each`,
    `${sizes.map(whole).join(' + ')} MB`,
    atMost(total, AIMS.memory, (mb) => `${whole(mb)} MB`),
  );
}

function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kb) * 1_024) / 1e6;
}
