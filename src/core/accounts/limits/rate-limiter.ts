import { FailureLog } from '../../base/async/failure-log.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import { NETWORK_SHARE, networkOf } from '../../base/network.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';

/** The state of a subject's window, compared with a limit. */
export interface LimitVerdict {
  /** Whether the call is within the limit; for a read, whether one more call would be. */
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Calls left in the window, 0 or more. */
  readonly remaining: number;
  /** Time until the window ends; 0 without an open window. */
  readonly resetMs: number;
}

/**
 * Counts calls in windows of 60 seconds (contract, Limits). A window starts with the first call of its subject. A change of
 * the tier changes the limit, not the count.
 */
export interface RateLimiter {
  /** Counts one call. `limit`: a whole number from 1. */
  consume(subject: string, limit: number): Promise<LimitVerdict>;
  /** The state without counting a call. */
  read(subject: string, limit: number): Promise<LimitVerdict>;
}

/** For subjects that are addresses: a call within the limit of an IPv6 client also counts for its network. */
export function networkLimiter(limiter: RateLimiter): RateLimiter {
  const ask = async (name: keyof RateLimiter, client: string, limit: number) => {
    const verdict = await limiter[name](client, limit);
    const network = networkOf(client);
    if (network === null || !verdict.isAllowed) return verdict;
    const ofNetwork = await limiter[name](network, limit * NETWORK_SHARE);
    return ofNetwork.isAllowed ? verdict : ofNetwork;
  };
  return {
    consume: (client, limit) => ask('consume', client, limit),
    read: (client, limit) => ask('read', client, limit),
  };
}

interface InsuredLimiterOptions {
  /** Counts for all processes. May throw or hang. */
  readonly shared: RateLimiter;
  readonly local: RateLimiter;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const SHARED_TIMEOUT_MS = 250;
/** While the shared limiter is unavailable, one call per interval tries it; the others do not wait. */
const RETRY_MS = 1_000;

/**
 * The shared limiter while it answers, otherwise the local one. Counts are not carried from one to the other, so an outage may
 * allow the limit once more in each process. The insurance of `rate-limiter-flexible` is not used: it tries the shared limiter
 * with every call, so that during an outage every call would wait for the timeout.
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
