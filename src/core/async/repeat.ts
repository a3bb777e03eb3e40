import type { Clock } from '../clock.ts';
import type { FailureLog } from './failure-log.ts';

/** When `repeat` runs its task, and when it ends. */
export interface RepeatOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Ends the loop; a run that has begun is finished. */
  readonly signal: AbortSignal;
  /** Pause after each run. A function is called after the run. */
  readonly intervalMs: number | (() => number);
  /** Pause after a failed run. A function gets the number of failures in a row, from 1. Default: `intervalMs`. */
  readonly retryMs?: number | ((failures: number) => number);
  /**
   * Logs the first failure of several in a row, but none after the signal aborted. Without it a failure ends the loop and
   * is thrown.
   */
  readonly failures?: FailureLog;
  /** A failure that ends the loop and is thrown all the same. Default: none. */
  readonly isFatal?: (error: unknown) => boolean;
  /** Ends the current pause when it resolves; asked for before each run, so that a call during a run is not lost. */
  readonly wake?: () => Promise<void>;
}

/** Runs the task immediately and then after each pause, until the signal aborts. */
export async function repeat(
  task: (signal: AbortSignal) => Promise<unknown> | unknown,
  options: RepeatOptions,
): Promise<void> {
  const { signal, intervalMs, retryMs = intervalMs, failures, isFatal, wake } = options;
  let failed = 0;
  while (!signal.aborted) {
    const woken = wake?.();
    try {
      await task(signal);
      failures?.succeeded();
      failed = 0;
    } catch (error) {
      if (failures === undefined || isFatal?.(error) === true) throw error;
      if (signal.aborted) return;
      failures.failed(error);
      failed += 1;
    }
    const pauseMs = failed > 0 ? retryMs : intervalMs;
    await pause(typeof pauseMs === 'function' ? pauseMs(failed) : pauseMs, options, woken);
  }
}

async function pause(ms: number, { clock, signal }: RepeatOptions, woken?: Promise<void>): Promise<void> {
  if (woken === undefined) return clock.sleep(ms, signal);
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end, { once: true });
  void woken.then(end);
  if (signal.aborted) end();
  await clock.sleep(ms, over.signal);
  signal.removeEventListener('abort', end);
}
