import type { Clock } from '../time/clock.ts';
import { type BackoffPolicy, backoffMs, withoutJitter } from './backoff.ts';
import type { FailureLog } from './failure-log.ts';

/** When `retry` stops. */
export interface RetryOptions {
  readonly clock: Pick<Clock, 'sleep' | 'now'>;
  /** Ends the attempts; the answer to one that has begun still counts. */
  readonly signal: AbortSignal;
  /** Pause after a failure: a policy, or the milliseconds for an error and the number of failures so far. */
  readonly backoff: BackoffPolicy | ((error: unknown, failures: number) => number);
  /** For the jitter of a policy, 0 to 1. Default: no jitter. */
  readonly random?: () => number;
  /** Logs the first failure, but none after the signal aborted. */
  readonly failures?: FailureLog;
  /** Attempts at most. Default: no bound. */
  readonly attempts?: number;
  /** No attempt begins after this moment. Default: no bound. */
  readonly until?: number;
  /** Whether another attempt is pointless, or could do the task twice. Default: never. */
  readonly isFinal?: (error: unknown) => boolean;
}

/** Runs the task until it succeeds, with a growing pause after each failure. Throws the last error when it is given up. */
export async function retry<Answer>(task: () => Promise<Answer>, options: RetryOptions): Promise<Answer> {
  const { clock, signal, backoff, random = withoutJitter, failures, isFinal } = options;
  const { attempts = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await task();
      failures?.succeeded();
      return answer;
    } catch (error) {
      if (isFinal?.(error) === true) throw error;
      if (signal.aborted) throw error;
      failures?.failed(error);
      if (attempt >= attempts) throw error;
      const waitMs =
        typeof backoff === 'function' ? backoff(error, attempt) : backoffMs(backoff, attempt, random);
      await clock.sleep(waitMs, signal);
      if (signal.aborted || clock.now() > until) throw error;
    }
  }
}
