import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { percentile } from './figure.ts';

export interface Side {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  cpuSeconds(): Promise<number>;
}

export interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const SECONDS_MAX = 60;

export async function load(side: Side, seconds: number, connections: number): Promise<Round> {
  const { url, headers } = side;
  const cpuBefore = await side.cpuSeconds();
  const startedAt = performance.now();
  let lastAt = startedAt;
  const times: number[] = [];
  const run = autocannon({
    url,
    headers,
    connections,
    duration: SECONDS_MAX,
    timeout: SECONDS_MAX,
    sampleInt: 100,
  });
  run.on('response', (_client, _status, _bytes, timeMs) => {
    lastAt = performance.now();
    times.push(timeMs);
    if (lastAt - startedAt >= seconds * 1_000 && times.length >= connections) run.stop();
  });
  const result = await run;
  checkAnswers(side, result);
  const cpu = (await cpuSecondsAtRest(side)) - cpuBefore;
  return {
    // Up to the last answer, so that slow answers are not counted by halves.
    perSecond: (times.length / (lastAt - startedAt)) * 1_000,
    cpuMicroseconds: (cpu / result.requests.sent) * 1e6,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

type Answers = Awaited<ReturnType<typeof autocannon>>;

function checkAnswers({ url }: Side, { statusCodeStats, errors }: Answers): void {
  const counts = Object.entries(statusCodeStats).map(([status, { count }]) => `${count} × ${status}`);
  const isRight = counts.length === 1 && '200' in statusCodeStats && errors === 0;
  if (!isRight) throw new Error(`${url}: ${counts.join(', ')} and ${errors} errors under load`);
}

const REST_MS = 50;
const REST_TRIES = 200;
const REST_SHARE = 0.4;

/** The server continues with answers that were cut off at the end; the next measurement waits until it is done. */
async function cpuSecondsAtRest(side: Side): Promise<number> {
  let cpu = await side.cpuSeconds();
  for (let tries = 0; tries < REST_TRIES; tries++) {
    await sleep(REST_MS);
    const before = cpu;
    cpu = await side.cpuSeconds();
    if (cpu - before < (REST_MS / 1_000) * REST_SHARE) break;
  }
  return cpu;
}
