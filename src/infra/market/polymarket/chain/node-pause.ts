import { backoffMs, withoutJitter } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { retryAfterMs } from '../../../outgoing/answer-text.ts';

const MOST_MS = 10 * MINUTE_MS;
/** Pauses without a `Retry-After`. */
const BACKOFF = { firstMs: 30 * SECOND_MS, mostMs: MOST_MS };
/** The node limits requests, or does not serve this address or key. */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 429, 451]);
const MESSAGE = /too many requests|rate.?limit|request limit|quota|forbidden|\b(?:403|429)\b/i;
/** These concern the size of one request, which is asked for again in parts. */
const OF_ONE_REQUEST = /\b(?:range|blocks?|results?|logs|size)\b/i;

export function isRefusingStatus(status: number): boolean {
  return REFUSALS.has(status);
}

/** Whether the error of a JSON-RPC answer refuses every request for a while, not only this one. */
export function isRefusingError({
  code,
  message,
}: {
  readonly code?: unknown;
  readonly message: string;
}): boolean {
  if (typeof code === 'number' && REFUSALS.has(code)) return true;
  return MESSAGE.test(message) && !OF_ONE_REQUEST.test(message);
}

/**
 * Pauses requests to a node that refuses them: for as long as it asks, otherwise for 30 s, twice as long after each refusal
 * that follows, and never for more than 10 minutes.
 */
export class NodePause {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Pick<Logger, 'warn'>;
  #until: EpochMs = 0;
  #refusals = 0;

  constructor(clock: Pick<Clock, 'now'>, logger: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** In milliseconds; 0 when requests may be sent. */
  get leftMs(): number {
    return Math.min(Math.max(0, this.#until - this.#clock.now()), MOST_MS);
  }

  get until(): EpochMs | null {
    return this.leftMs > 0 ? this.#until : null;
  }

  refused(refusal: string, retryAfter?: string | string[]): void {
    // Requests that were on their way are refused too.
    if (this.leftMs > 0) return;
    const now = this.#clock.now();
    this.#refusals += 1;
    const askedMs = retryAfterMs(retryAfter, now, MOST_MS);
    const pauseMs =
      askedMs === null ? backoffMs(BACKOFF, this.#refusals, withoutJitter) : Math.max(askedMs, SECOND_MS);
    this.#until = now + pauseMs;
    const seconds = Math.ceil(pauseMs / SECOND_MS);
    this.#logger.warn(
      { refusal, pausedSeconds: seconds },
      `the node refuses requests; retrying in ${seconds} s, until then trades come from the market's list`,
    );
  }

  succeeded(): void {
    this.#refusals = 0;
  }
}
