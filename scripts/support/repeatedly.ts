import { repeat } from '../../src/core/base/async/repeat.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';

/** Runs the task immediately and then after each pause. Returns what ends it, after a run that has begun. */
export function repeatedly(
  intervalMs: number,
  task: (signal: AbortSignal) => Promise<unknown> | unknown,
): () => Promise<void> {
  const stopping = new AbortController();
  const running = repeat(task, { clock: systemClock, signal: stopping.signal, intervalMs });
  return () => {
    stopping.abort();
    return running;
  };
}
