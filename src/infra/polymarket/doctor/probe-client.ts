import type { Clock } from '../../../core/clock.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  UpstreamFault,
} from '../client/market-client.ts';
import { retryOnce } from './retry-once.ts';

/** The market's client for probes: in the doctor's share of the budget, and with one retry. */
export class ProbeClient implements Pick<MarketClient, 'get'> {
  readonly #client: Pick<MarketClient, 'get'>;
  readonly #clock: Pick<Clock, 'sleep'>;

  constructor(client: Pick<MarketClient, 'get'>, clock: Pick<Clock, 'sleep'>) {
    this.#client = client;
    this.#clock = clock;
  }

  get(request: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    return retryOnce({ clock: this.#clock, signal, mayPass }, () =>
      this.#client.get({ ...request, purpose: 'doctor' }, signal),
    );
  }
}

/** A refusal stays; a limit, a timeout and a fault of the server may pass. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}
