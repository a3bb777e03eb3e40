import type { Clock } from '../time/clock.ts';
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
  /** A failure that ends the loop and is thrown, although `failures` is set. Default: none. */
  readonly isFatal?: (error: unknown) => boolean;
  /** Ends the current pause when it resolves, or the next one when it resolves during a run. Called again after that. */
  readonly wake?: () => Promise<void>;
}

/** Runs the task immediately and then after each pause, until the signal aborts. */
export async function repeat(
  task: (signal: AbortSignal) => Promise<unknown> | unknown,
  options: RepeatOptions,
): Promise<void> {
  const { signal, intervalMs, retryMs = intervalMs, failures, isFatal } = options;
  const pause = new Pause(options);
  let failed = 0;
  while (!signal.aborted) {
    pause.listen();
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
    await pause.sleep(typeof pauseMs === 'function' ? pauseMs(failed) : pauseMs);
  }
}

/** A pause that `wake` can end. Waits for one promise at a time, since one that stays pending would collect callbacks. */
class Pause {
  readonly #options: RepeatOptions;
  #isListening = false;
  #over = new AbortController();

  constructor(options: RepeatOptions) {
    this.#options = options;
  }

  /** From now on `wake` ends the next pause. */
  listen(): void {
    const { wake } = this.#options;
    if (this.#over.signal.aborted) this.#over = new AbortController();
    if (wake === undefined || this.#isListening) return;
    this.#isListening = true;
    void wake().then(() => {
      this.#isListening = false;
      this.#over.abort();
    });
  }

  async sleep(ms: number): Promise<void> {
    const { clock, signal, wake } = this.#options;
    if (wake === undefined) return clock.sleep(ms, signal);
    const over = this.#over;
    const end = () => over.abort();
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    await clock.sleep(ms, over.signal);
    signal.removeEventListener('abort', end);
  }
}

/** As `repeat`; without a signal only the task ends the loop. */
export interface RepeatUntilOptions extends Omit<RepeatOptions, 'signal'> {
  readonly signal?: AbortSignal;
}

/** Runs the task immediately and then after each pause, until it returns true or the signal aborts. */
export async function repeatUntil(
  task: () => Promise<boolean> | boolean,
  { signal, ...options }: RepeatUntilOptions,
): Promise<void> {
  const done = new AbortController();
  const ended = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal]);
  const attempt = async () => {
    if (await task()) done.abort();
  };
  await repeat(attempt, { ...options, signal: ended });
}

/** Resolves when the signal aborts, or if it has aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Wakes all waiting tasks. */
export class Notifier {
  #waiting = Promise.withResolvers<void>();

  readonly notify = (): void => {
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers<void>();
  };

  /** Resolves with the next `notify`. */
  readonly nextNotification = (): Promise<void> => this.#waiting.promise;
}

/**
 * Runs all works at the same time. Their signal aborts with the caller's, and when one fails; its error is thrown after the
 * others ended.
 */
export async function allOrNone(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const any = AbortSignal.any([signal, failed.signal]);
  const running = works.map(async (work) => {
    try {
      await work(any);
    } catch (error) {
      failed.abort();
      throw error;
    }
  });
  await Promise.allSettled(running);
  await Promise.all(running);
}
