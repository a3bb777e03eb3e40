import { parentPort } from 'node:worker_threads';
import { simulate } from './simulate.ts';
import type { Simulation } from './simulated-tape.ts';

parentPort?.on('message', async (simulation: Simulation) => {
  parentPort?.postMessage(await simulate(simulation));
});
