import type { Clock } from '../time/clock.ts';

interface Deadline {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a task with a signal that aborts when the time has passed or the caller's signal aborts. Waits for the end of the task
 * in any case, so that what it has found until then counts. Leaves no timer.
 */
export async function withDeadline<Answer>(
  { clock, deadlineMs, signal }: Deadline,
  task: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  void clock.sleep(deadlineMs, within).then(() => over.abort());
  try {
    return await task(within);
  } finally {
    over.abort();
  }
}
