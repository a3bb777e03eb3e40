import type { Clock } from '../../../core/clock.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';
import { retryOnce } from './retry-once.ts';

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
