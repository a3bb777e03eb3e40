import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { LimitVerdict, RateLimiter } from './rate-limiter.ts';

/** What the insured limiter stands on. */
export interface InsuredLimiterDeps {
  /** Counts for all processes; may throw and may hang. */
  readonly shared: RateLimiter;
  /** Counts for this process alone. */
  readonly local: RateLimiter;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The longest a request waits for the shared count. */
const SHARED_TIMEOUT_MS = 250;
/** While the shared count is away one call in so long tries it; the others do not wait. */
const RETRY_MS = 1_000;

/**
 * The shared count as long as it answers, the local one otherwise. Never throws for what the shared one does. Calls
 * that were counted in one place are not carried to the other: an outage may allow each process the limit once more.
 */
export function createInsuredLimiter({ shared, local, clock, logger }: InsuredLimiterDeps): RateLimiter {
  let isAway = false;
  let triedAt: EpochMs = 0;

  function isTimeToTry(): boolean {
    const sinceMs = clock.now() - triedAt;
    // A clock set back must not put off the next try.
    return sinceMs < 0 || sinceMs >= RETRY_MS;
  }

  async function ask(of: (limiter: RateLimiter) => Promise<LimitVerdict>): Promise<LimitVerdict> {
    if (isAway && !isTimeToTry()) return of(local);
    if (isAway) triedAt = clock.now();
    try {
      const verdict = await withTimeout({ clock, timeoutMs: SHARED_TIMEOUT_MS }, of(shared));
      if (isAway) logger.info({}, 'rate limits are shared again');
      isAway = false;
      return verdict;
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'rate limits are counted by this process alone');
      isAway = true;
      triedAt = clock.now();
      return of(local);
    }
  }

  return {
    consume: (subject, limit) => ask((limiter) => limiter.consume(subject, limit)),
    read: (subject, limit) => ask((limiter) => limiter.read(subject, limit)),
  };
}
