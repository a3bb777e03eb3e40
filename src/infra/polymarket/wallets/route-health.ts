import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { UpstreamFault } from '../client/market-client.ts';

/** A route that fails for this many different wallets in a row is unavailable for all. */
const WALLETS_MIN = 3;
const REFUSED_MS = 10 * MINUTE_MS;
/** Failures pass sooner than refusals. */
const FAILED_MS = 15 * SECOND_MS;
/** Statuses that concern the caller or the moment, not the route. */
const TRANSIENT: ReadonlySet<number | null> = new Set([401, 403, 408, 425, 429]);

/** Rejection of a request that was not sent: the route is unavailable for every wallet. */
export class RouteUnavailable extends UpstreamFault {}

/** Whether the route answered that it does not serve this request: repeating it soon changes nothing. */
export function isRouteRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  const { outcome, status } = error;
  return outcome === 'garbled' || (outcome === 'refused' && (status ?? 500) < 500 && !TRANSIENT.has(status));
}

/** The profile is Gamma's. */
function isOfDataApi(path: string): boolean {
  return path.startsWith('/v2/');
}

interface Failures {
  readonly wallets: Set<string>;
  /** The latest fault. */
  fault: UpstreamFault;
  /** No request is sent before this moment. */
  closedUntil: EpochMs;
  isLogged: boolean;
}

/**
 * Circuit breaker of each route for wallets. A route that refused three different wallets in a row gets no requests for 10
 * minutes, one that failed for them (timeouts, 5xx) for 15 s; then the first failure opens the breaker again.
 */
export class RouteHealth {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #failing = new Map<string, Failures>();
  /** Routes that have answered and did not become unavailable since. */
  readonly #answering = new Set<string>();

  constructor(clock: Pick<Clock, 'now'>, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Sends the request, unless the route is unavailable. Rejects with an `UpstreamFault`. */
  async guard<Answer>(path: string, wallet: string, send: () => Promise<Answer>): Promise<Answer> {
    const failing = this.#failing.get(path);
    if (failing !== undefined && this.#clock.now() < failing.closedUntil)
      throw new RouteUnavailable(`${path} is unavailable; request not sent`, failing.fault);
    try {
      const answer = await send();
      this.#answered(path);
      return answer;
    } catch (error) {
      if (error instanceof UpstreamFault && error.outcome !== 'limited') this.#failed(path, wallet, error);
      throw error;
    }
  }

  /**
   * The fault during an outage of the whole Data API: none of its routes answers, and at least one is unavailable for every
   * wallet. Null otherwise. A refusal during an outage says nothing about a wallet.
   */
  get outage(): UpstreamFault | null {
    if (this.#answering.size > 0) return null;
    for (const [path, { fault, isLogged }] of this.#failing) if (isLogged && isOfDataApi(path)) return fault;
    return null;
  }

  #answered(path: string): void {
    if (isOfDataApi(path)) this.#answering.add(path);
    const failing = this.#failing.get(path);
    this.#failing.delete(path);
    if (failing?.isLogged === true) this.#logger.info({ path }, 'route available again');
  }

  #failed(path: string, wallet: string, fault: UpstreamFault): void {
    const known = this.#failing.get(path);
    const failing = known ?? { wallets: new Set(), fault, closedUntil: 0, isLogged: false };
    this.#failing.set(path, failing);
    failing.fault = fault;
    if (failing.wallets.size < WALLETS_MIN) failing.wallets.add(wallet);
    if (failing.wallets.size < WALLETS_MIN) return;
    this.#answering.delete(path);
    failing.closedUntil = this.#clock.now() + (isRouteRefusal(fault) ? REFUSED_MS : FAILED_MS);
    if (failing.isLogged) return;
    failing.isLogged = true;
    this.#logger.warn({ path, err: fault }, 'route unavailable for every wallet; using other sources');
  }
}
