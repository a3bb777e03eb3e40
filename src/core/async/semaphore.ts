import { createFifo } from './fifo.ts';

/** Runs tasks so many at once, first come, first served. A task that throws frees its place. */
export type Semaphore = <Answer>(task: () => Promise<Answer>) => Promise<Answer>;

/** So many places, all free. */
export function createSemaphore(count: number): Semaphore {
  const waiting = createFifo<() => void>();
  let free = count;

  async function granted(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  }

  return async (task) => {
    await granted();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
