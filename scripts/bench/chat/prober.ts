import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'undici';

const EVERY_MS = 10;

/** A request, and its due time in ms since the start of the measurement. */
export interface Probe {
  readonly at: number;
  readonly ms: number;
}

const { address, path, headers } = workerData as {
  address: string;
  path: string;
  headers: Record<string, string>;
};
const client = new Client(address, { pipelining: 4 });
const probes: Probe[] = [];
let isOver = false;

parentPort?.on('message', () => {
  isOver = true;
});

async function ask(at: number): Promise<void> {
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({ path, method: 'GET', headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the API answered ${statusCode}`);
  probes.push({ at, ms: performance.now() - startedAt });
}

const running = new Set<Promise<void>>();
for (let due = performance.now(); !isOver; due += EVERY_MS) {
  await sleep(Math.max(0, due - performance.now()));
  const asked = ask(performance.timeOrigin + performance.now()).finally(() => running.delete(asked));
  running.add(asked);
}
await Promise.all(running);
await client.close();
parentPort?.postMessage(probes);
parentPort?.close();
