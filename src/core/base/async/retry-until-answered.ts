import type { Logger } from '../logger.ts';
import type { Clock } from '../time/clock.ts';
import type { EpochMs } from '../time/duration.ts';
import { FailureLog } from './failure-log.ts';
import { retry } from './retry.ts';

const BACKOFF = { firstMs: 500, mostMs: 500 };

/** When to stop asking; the answer to what was asked before that still counts. */
export interface RetryUntilLimits {
  readonly signal: AbortSignal;
  readonly until?: EpochMs;
  /** Whether asking again could do it twice. Default: it could not. */
  readonly isFinal?: (error: unknown) => boolean;
}

/** Asks until there is an answer; null when that was given up. What fails in a row is logged once. */
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
