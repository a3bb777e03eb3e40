import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';

const RETRY_MS = 500;

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
export function createRetryUntilAnswered({
  clock,
  logger,
}: {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}): RetryUntilAnswered {
  return async (ask, { signal, until = Number.POSITIVE_INFINITY, isFinal = () => false }) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await ask();
      } catch (error) {
        if (isFinal(error)) {
          logger.warn(
            { err: error },
            'the store of deliveries failed; not repeated, as the outcome is unknown',
          );
          return null;
        }
        if (failures === 0) logger.warn({ err: error }, 'the store of deliveries fails; trying again');
        await clock.sleep(RETRY_MS, signal);
        if (signal.aborted || clock.now() > until) return null;
      }
    }
  };
}
