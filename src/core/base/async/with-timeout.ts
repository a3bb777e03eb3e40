import type { Clock } from '../time/clock.ts';

/** A time limit. */
export interface TimeLimit {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly timeoutMs: number;
  /** Makes the error that is thrown when the time has passed. Default: an `Error` that names the limit. */
  readonly timeoutError?: () => Error;
  /** Chained to the signal that the task gets. Its abort alone does not end the wait: the task decides. */
  readonly signal?: AbortSignal | undefined;
}

/** A constant reason: by default each abort creates a `DOMException` with a stack. */
const SETTLED = Symbol('settled');

/**
 * Waits `timeoutMs` for an answer, then throws; a later answer is dropped. A task that is passed as a function gets a
 * signal that aborts when the time has passed or the caller's signal aborts. Leaves no timer.
 */
export async function withTimeout<Answer>(
  { clock, timeoutMs, timeoutError, signal }: TimeLimit,
  task: Promise<Answer> | ((signal: AbortSignal) => Promise<Answer>),
): Promise<Answer> {
  const settled = new AbortController();
  // Most callers pass a promise, and need no signal.
  const expired = typeof task === 'function' ? new AbortController() : null;
  const timeout = clock.sleep(timeoutMs, settled.signal).then((): Answer => {
    if (settled.signal.aborted) return undefined as Answer;
    const error = timeoutError?.() ?? new Error(`no answer within ${timeoutMs} ms`);
    expired?.abort(error);
    throw error;
  });
  try {
    const answer = typeof task === 'function' ? task(anyOf(signal, expired as AbortController)) : task;
    return await Promise.race([answer, timeout]);
  } finally {
    settled.abort(SETTLED);
  }
}

function anyOf(signal: AbortSignal | undefined, expired: AbortController): AbortSignal {
  return signal === undefined ? expired.signal : AbortSignal.any([signal, expired.signal]);
}

/**
 * Waits at most `timeoutMs` for work to end. Resolves to whether it ended; what ends later is nobody's, and its error is dropped.
 * Throws the error of work that fails in time. Leaves no timer.
 */
export async function endsWithin(
  { clock, timeoutMs }: Pick<TimeLimit, 'clock' | 'timeoutMs'>,
  work: Promise<unknown>,
): Promise<boolean> {
  const ended = new AbortController();
  const late = clock.sleep(timeoutMs, ended.signal).then(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    ended.abort(SETTLED);
  }
}
