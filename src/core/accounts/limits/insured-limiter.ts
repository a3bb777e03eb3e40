import { FailureLog } from '../../base/async/failure-log.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { LimitVerdict, RateLimiter } from './rate-limiter.ts';

interface InsuredLimiterOptions {
  /** Counts for all processes. May throw and may hang. */
  readonly shared: RateLimiter;
  /** Counts for this process. */
  readonly local: RateLimiter;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const SHARED_TIMEOUT_MS = 250;
/** While the shared limiter is unavailable, one call per interval tries it; all others do not wait. */
const RETRY_MS = 1_000;

/**
 * The shared limiter while it answers, otherwise the local one. Counts are not carried from one to the other, so that an
 * outage may allow the limit once more in each process. The insurance of `rate-limiter-flexible` is not used: it tries the
 * shared limiter with every call, so that during an outage every call would wait for the timeout.
 */
export class InsuredLimiter implements RateLimiter {
  readonly #options: InsuredLimiterOptions;
  readonly #failures: FailureLog;
  #triedAt: EpochMs = 0;

  constructor(options: InsuredLimiterOptions) {
    this.#options = options;
    this.#failures = new FailureLog(
      options.logger,
      'shared rate limits unavailable; counting in this process',
    );
  }

  consume(subject: string, limit: number): Promise<LimitVerdict> {
    return this.#ask((limiter) => limiter.consume(subject, limit));
  }

  read(subject: string, limit: number): Promise<LimitVerdict> {
    return this.#ask((limiter) => limiter.read(subject, limit));
  }

  async #ask(call: (limiter: RateLimiter) => Promise<LimitVerdict>): Promise<LimitVerdict> {
    const { shared, local, clock, logger } = this.#options;
    const wasFailing = this.#failures.isFailing;
    if (wasFailing && !this.#isTimeToTry()) return call(local);
    this.#triedAt = clock.now();
    const limit = { clock, timeoutMs: SHARED_TIMEOUT_MS };
    const verdict = await this.#failures.guard(() => withTimeout(limit, call(shared)));
    if (verdict === null) {
      this.#triedAt = clock.now();
      return call(local);
    }
    if (wasFailing) logger.info({}, 'rate limits are shared again');
    return verdict;
  }

  #isTimeToTry(): boolean {
    const sinceMs = this.#options.clock.now() - this.#triedAt;
    // A clock that was set back must not delay the next try.
    return sinceMs < 0 || sinceMs >= RETRY_MS;
  }
}
