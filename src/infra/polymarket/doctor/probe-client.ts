import type { Clock } from '../../../core/clock.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';
import { retryOnce } from './retry-once.ts';

/** The market client of the probes: within the doctor's share of the request budget, with one retry. */
export class ProbeClient implements Pick<MarketClient, 'get'> {
  readonly #client: Pick<MarketClient, 'get'>;
  readonly #clock: Clock;

  constructor(client: Pick<MarketClient, 'get'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  get(request: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    return retryOnce({ clock: this.#clock, signal, isTemporary }, () =>
      this.#client.get({ ...request, purpose: 'doctor' }, signal),
    );
  }
}

/** A refusal is permanent; a rate limit, a timeout and a server error may be temporary. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}
