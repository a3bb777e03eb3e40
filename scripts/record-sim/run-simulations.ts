import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { type SimulationOutcome, simulate } from './simulate.ts';
import type { Simulation } from './simulated-tape.ts';

export async function runSimulations(
  simulations: readonly Simulation[],
  jobs: number,
  onOutcome: (outcome: SimulationOutcome) => void,
): Promise<void> {
  const waiting = simulations.values();
  const threads = Math.min(jobs, simulations.length);
  await Promise.all(Array.from({ length: threads }, () => runThread(waiting, onOutcome)));
}

async function runThread(
  waiting: IterableIterator<Simulation>,
  onOutcome: (outcome: SimulationOutcome) => void,
): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  try {
    for (const simulation of waiting) {
      worker.postMessage(simulation);
      // Rejects with the error that ends the thread.
      const [outcome] = (await once(worker, 'message')) as [SimulationOutcome];
      onOutcome(outcome);
    }
  } finally {
    await worker.terminate();
  }
}

// In a thread.
parentPort?.on('message', async (simulation: Simulation) => {
  parentPort?.postMessage(await simulate(simulation));
});
