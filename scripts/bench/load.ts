import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { percentile } from './figure.ts';
import type { Server } from './service.ts';

export interface Round {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Load {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly forSeconds: number;
}

/** Each connection has one request in flight. */
export async function load(server: Server, { path, headers, connections, forSeconds }: Load): Promise<Round> {
  const cpuBefore = await server.cpuSeconds();
  const startedAt = performance.now();
  const endsAt = startedAt + forSeconds * 1_000;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(server.address);
      do times.push(await ask(client, path, headers));
      while (performance.now() < endsAt);
      await client.close();
    }),
  );
  const tookMs = performance.now() - startedAt;
  const cpu = (await server.cpuSeconds()) - cpuBefore;
  return {
    perSecond: (times.length / tookMs) * 1_000,
    cpuMicroseconds: (cpu / times.length) * 1e6,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

/** Resolves to how long the answer took, ms. Its body is not looked at, which is the least that a client can do. */
export function ask(
  dispatcher: Dispatcher,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sentAt = performance.now();
  dispatcher.dispatch(
    { method: 'GET', path, headers: { ...headers } },
    {
      onRequestStart: () => {},
      onResponseStart: (_controller, status) => {
        if (status >= 400) reject(new Error(`${path} was answered ${status}`));
      },
      onResponseData: () => {},
      onResponseEnd: () => resolve(performance.now() - sentAt),
      onResponseError: (_controller, error) => reject(error),
    },
  );
  return promise;
}

const TICK_MS = 2;

/** Asks evenly in time until the signal, as many users do. Returns how long each answer took. */
export async function askEvenly(
  perSecond: number,
  signal: AbortSignal,
  askOnce: (index: number) => Promise<number>,
): Promise<readonly number[]> {
  const startedAt = performance.now();
  const asked: Promise<number>[] = [];
  while (!signal.aborted) {
    while (asked.length < ((performance.now() - startedAt) / 1_000) * perSecond) {
      const answer = askOnce(asked.length);
      // It is thrown when all have ended.
      answer.catch(() => {});
      asked.push(answer);
    }
    await sleep(TICK_MS);
  }
  return Promise.all(asked);
}
