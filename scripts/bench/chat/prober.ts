import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { serve } from '../remote.ts';

const EVERY_MS = 10;

interface Target {
  readonly address: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

let isOver = false;
let probing: Promise<readonly number[]> = Promise.resolve([]);

async function probe({ address, path, headers }: Target): Promise<readonly number[]> {
  const client = new Client(address, { pipelining: 4 });
  const durations: number[] = [];
  async function ask(): Promise<void> {
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({ path, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`the API answered ${statusCode}`);
    durations.push(performance.now() - startedAt);
  }
  const running = new Set<Promise<void>>();
  for (let due = performance.now(); !isOver; due += EVERY_MS) {
    await sleep(Math.max(0, due - performance.now()));
    const asked = ask().finally(() => running.delete(asked));
    running.add(asked);
  }
  await Promise.all(running);
  await client.close();
  return durations;
}

const functions = {
  /** Asks 100 times a second until `end`. */
  begin(target: Target): void {
    isOver = false;
    probing = probe(target);
  },
  /** The durations of the requests in ms. */
  end(): Promise<readonly number[]> {
    isOver = true;
    return probing;
  },
};

/** A client of the API in a process of its own. */
export type Prober = typeof functions;

serve(functions);
