import { retry } from '../../../core/async/retry.ts';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';

/** The market's client for probes: uses the doctor's share of the budget, and retries once. */
export class ProbeClient implements Pick<MarketClient, 'get'> {
  readonly #client: Pick<MarketClient, 'get'>;
  readonly #clock: Clock;

  constructor(client: Pick<MarketClient, 'get'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  get(request: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    return retryOnce({ clock: this.#clock, signal, isTransient }, () =>
      this.#client.get({ ...request, purpose: 'doctor' }, signal),
    );
  }
}

/** A rate limit, a timeout and a server error may pass; a refusal stays. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

const BACKOFF = { firstMs: SECOND_MS, mostMs: SECOND_MS };

interface RetryOnceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the failure may pass. */
  readonly isTransient: (error: unknown) => boolean;
}

/** Repeats a failed request once, a second later: a transient failure is not a broken assumption. */
export function retryOnce<Answer>(
  { clock, signal, isTransient }: RetryOnceOptions,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const isFinal = (error: unknown) => !isTransient(error);
  return retry(ask, { clock, signal, backoff: BACKOFF, attempts: 2, isFinal });
}
