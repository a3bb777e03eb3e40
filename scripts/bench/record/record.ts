import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/core/database.ts';
import { RequestSender } from '../../../src/core/operations/request-sender.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { type BenchDatabase, type DatabaseKind, onEachDatabase } from '../databases.ts';
import { atMost, type Figure, figure, mb, ms, percentile, whole } from '../figure.ts';
import { load, type Side } from '../load.ts';
import { progress } from '../progress.ts';
import { type BenchService, metricAt, startApi } from '../service.ts';
import { ALERTS_EACH, closeMarkets, EVENTS, seedRecord } from './seed-record.ts';

const MOST_SECONDS = 10;
const RUNS = 3;
const ALONE_SECONDS = 5;
const CONNECTIONS = 10;
const SIZE = `${whole(EVENTS * ALERTS_EACH)} alerts in ${whole(EVENTS)} events`;
const LAG = 'nodejs_eventloop_lag_max_seconds';
const DURATION = 'tipoff_record_duration_seconds';

interface Run {
  readonly seconds: number;
  /** The longest block of the main loop meanwhile. */
  readonly blockMs: number;
  /** Of requests for the record, one after another, meanwhile. */
  readonly requestsMs: readonly number[];
}

/** A record made by a running service, and what its requests notice of it. */
export function benchRecord(): Promise<readonly Figure[]> {
  return onEachDatabase(async (kind) => {
    await using opened = await kind.open();
    const database = await openDatabase(opened.url);
    try {
      await seedRecord(database);
      return await measure(kind, opened, database);
    } finally {
      await database.close();
    }
  });
}

async function measure(
  { name }: DatabaseKind,
  { url }: BenchDatabase,
  database: Database,
): Promise<readonly Figure[]> {
  await using service = await startApi(url, { ROLES: 'api,jobs', MARKET_SOURCE: 'polymarket' });
  await untilMade(service);
  const before = await metricAt(service.address, 'process_resident_memory_bytes');
  const runs: Run[] = [];
  while (runs.length < RUNS) runs.push(await runBeside(service, database));
  const after = await metricAt(service.address, 'process_resident_memory_bytes');
  const side = sideOf(service);
  const alone = await load(side, ALONE_SECONDS, { connections: CONNECTIONS });
  const [beside] = await Promise.all([
    load(side, ALONE_SECONDS, { connections: CONNECTIONS }),
    makeRecord(database),
  ]);
  await closeMarkets(database);
  await makeRecord(database);
  const remembered = await runBeside(service, database);
  const seconds = Math.max(...runs.map((run) => run.seconds));
  const lagMs = Math.max(...runs.map((run) => run.blockMs));
  const requestsMs = runs.flatMap((run) => run.requestsMs);
  progress(`${name}: ${seconds.toFixed(1)} s`);
  return [
    figure(
      `${name}: ${SIZE}, every market measured: the longest of ${RUNS} runs`,
      `${seconds.toFixed(1)} s`,
      atMost(seconds, MOST_SECONDS, (limit) => `${limit} s`),
    ),
    figure(`${name}: the same when all markets are closed`, `${remembered.seconds.toFixed(1)} s`),
    figure(`${name}: longest block of the main loop in these runs`, ms(lagMs)),
    figure(
      `${name}: GET /record.json one after another meanwhile, median and 99th percentile`,
      `${ms(percentile(requestsMs, 0.5))}, ${ms(percentile(requestsMs, 0.99))}`,
    ),
    figure(
      `${name}: GET /record.json over ${CONNECTIONS} connections, alone and beside a run`,
      `${whole(alone.perSecond)}/s and ${whole(beside.perSecond)}/s; p99 ${ms(alone.p99Ms)} and ${ms(beside.p99Ms)}`,
    ),
    figure(
      `${name}: memory of the process after the first run and after ${RUNS} more`,
      `${mb(before)}, ${mb(after)}`,
    ),
  ];
}

/** The first run begins with the start of the service. */
async function untilMade({ address }: BenchService): Promise<void> {
  while ((await metricAt(address, DURATION)) === 0) await sleep(200);
}

/** One run, with requests one after another meanwhile. */
async function runBeside({ address }: BenchService, database: Database): Promise<Run> {
  // A scrape begins the next interval of the lag.
  await metricAt(address, LAG);
  const requestsMs: number[] = [];
  let isOver = false;
  const made = makeRecord(database).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    await (await fetch(`${address}/record.json`)).arrayBuffer();
    requestsMs.push(performance.now() - startedAt);
    await sleep(5);
  }
  await made;
  const blockMs = (await metricAt(address, LAG)) * 1_000;
  return { seconds: await metricAt(address, DURATION), blockMs, requestsMs };
}

/** As an operator has it made. */
async function makeRecord({ operatorRequests: requests, heartbeats }: Database): Promise<void> {
  const sender = new RequestSender({ requests, heartbeats, clock: systemClock, random: secureRandom });
  const command = { needs: 'jobs', command: 'run', args: 'record now', actor: 'bench' } as const;
  const result = await sender.send(command);
  if (result.outcome !== 'done') throw new Error(`the record was not made: ${JSON.stringify(result)}`);
}

function sideOf(service: BenchService): Side {
  const { address, cpuSeconds } = service;
  return { name: 'record', url: `${address}/record.json`, headers: {}, cpuSeconds };
}
