import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { openDatabase } from '../../src/infra/database/database.ts';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from './databases.ts';
import { atMost, type Figure, figure, inMs, median, ms, progress, whole } from './figure.ts';
import { OTHER_SEARCHES, SEARCHES, searchFigures, timeOf } from './search.ts';
import { type BenchService, startApi } from './service.ts';

const SMALL = 10_000;
const LARGE = 10_000_000;
const MARKETS = 100_000;
const STARTS = 5;
const AIMS = { startMs: 5_000, memory: 1_500 };

/** Ten million alerts: `BENCH_ARCHIVE` names databases that have them already, as filling takes an hour. */
export function benchArchive(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using small = await kind.open();
    await using large = await kind.open(given(kind));
    await seed(small, SMALL);
    await seed(large, LARGE);
    // Stores the columns.
    await start(large.url);
    const starts: Start[] = [];
    while (starts.length < STARTS) starts.push(await start(large.url));
    return [
      ...startFigures(kind, starts),
      ...(await searchFigures(kind, [
        { url: small.url, alerts: SMALL },
        { url: large.url, alerts: LARGE },
      ])),
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

function startFigures({ name }: DatabaseKind, starts: readonly Start[]): readonly Figure[] {
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
