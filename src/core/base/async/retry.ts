import type { Logger } from '../logger.ts';
import type { Clock } from '../time/clock.ts';
import type { EpochMs } from '../time/duration.ts';
import { FailureLog } from './failure-log.ts';

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
  /** Maximum number of attempts. Default: no bound. */
  readonly attempts?: number;
  /** No attempt begins after this moment. Default: no bound. */
  readonly until?: number;
  /** Whether another attempt is pointless, or could do the task twice. Default: never. */
  readonly isFinal?: (error: unknown) => boolean;
}

/** Runs the task until it succeeds, with a growing pause after each failure. Throws the last error when it gives up. */
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

/** The maximum delay doubles from `firstMs` up to `mostMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Milliseconds before attempt `count` + 1 (`count` from 1). The second half of the delay is random, to spread retries. */
export function backoffMs({ firstMs, mostMs }: BackoffPolicy, count: number, random: () => number): number {
  const longest = Math.min(mostMs, firstMs * 2 ** (count - 1));
  return longest * (0.5 + random() / 2);
}

/** For `backoffMs`: always the maximum delay. */
export const withoutJitter = (): number => 1;

const BACKOFF = { firstMs: 500, mostMs: 500 };

/** When to stop asking; the answer to what was asked before that still counts. */
interface RetryUntilLimits {
  readonly signal: AbortSignal;
  readonly until?: EpochMs;
  /** Whether asking again could do the task twice. Default: never. */
  readonly isFinal?: (error: unknown) => boolean;
}

/** Asks until there is an answer; null when it gave up. Consecutive failures are logged once. */
export type RetryUntilAnswered = <Answer>(
  ask: () => Promise<Answer>,
  limits: RetryUntilLimits,
) => Promise<Answer | null>;

/** Asks twice a second. */
export function createRetryUntilAnswered(clock: Clock, logger: Pick<Logger, 'warn'>): RetryUntilAnswered {
  return async (ask, limits) => {
    const failures = new FailureLog(logger, 'store unavailable; retrying twice a second');
    try {
      return await retry(ask, { clock, backoff: BACKOFF, failures, ...limits });
    } catch (error) {
      if (limits.isFinal?.(error) === true)
        logger.warn({ err: error }, 'store call failed; not repeated, since its outcome is unknown');
      return null;
    }
  };
}
