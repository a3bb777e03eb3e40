import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
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

/** Each connection has one request in flight, for so long and until there are as many answers as connections. */
export async function load(side: Side, seconds: number, connections: number): Promise<Round> {
  const cpuBefore = await side.cpuSeconds();
  const startedAt = performance.now();
  let lastAt = startedAt;
  const times: number[] = [];
  const isOver = () => lastAt - startedAt >= seconds * 1_000 && times.length >= connections;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(new URL(side.url).origin);
      while (!isOver()) {
        const sentAt = performance.now();
        await readAnswer(client, side);
        lastAt = performance.now();
        times.push(lastAt - sentAt);
      }
      await client.close();
    }),
  );
  const cpu = (await cpuSecondsAtRest(side)) - cpuBefore;
  return {
    perSecond: (times.length / (lastAt - startedAt)) * 1_000,
    cpuMicroseconds: (cpu / times.length) * 1e6,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

const TICK_MS = 2;

/** Asks evenly in time until the signal, as many users do. Returns what all resolved to. */
export async function askEvenly<Answer>(
  perSecond: number,
  signal: AbortSignal,
  ask: (index: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const startedAt = performance.now();
  const asked: Promise<Answer>[] = [];
  while (!signal.aborted) {
    while (asked.length < ((performance.now() - startedAt) / 1_000) * perSecond) {
      const answer = ask(asked.length);
      // It is thrown when all have ended.
      answer.catch(() => {});
      asked.push(answer);
    }
    await sleep(TICK_MS);
  }
  return Promise.all(asked);
}

function readAnswer(client: Client, { url, headers }: Side): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.dispatch(
    { method: 'GET', path: pathOf(url), headers: { ...headers } },
    {
      onRequestStart: () => {},
      onResponseStart: (_controller, status) => {
        if (status !== 200) reject(new Error(`${url}: ${status} under load`));
      },
      onResponseData: () => {},
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return promise;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
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
