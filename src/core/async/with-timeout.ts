import type { Clock } from '../clock.ts';

/** A time limit. `timeoutError` makes what is thrown when it has passed; default: an `Error` that names it. */
export interface TimeLimit {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly timeoutMs: number;
  readonly timeoutError?: () => Error;
}

/** A reason of its own: by default each abort makes a `DOMException` with a stack. */
const ANSWERED = Symbol('answered');

/** Waits `timeoutMs` for an answer, then throws; the answer that comes later is dropped. Leaves no timer. */
export async function withTimeout<Answer>(
  { clock, timeoutMs, timeoutError }: TimeLimit,
  answer: Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const timeout = clock.sleep(timeoutMs, over.signal).then((): Answer => {
    // The answer has come: what is returned here is dropped.
    if (over.signal.aborted) return undefined as Answer;
    throw timeoutError?.() ?? new Error(`no answer within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    over.abort(ANSWERED);
  }
}
