import { backoffMs, withoutJitter } from '../../../../core/base/async/retry.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { SteadyClock } from '../../../../core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { UpstreamApi } from '../../../../core/metrics.ts';
import type { BlindCause } from '../../../../core/trades/coverage/blind-window.ts';
import { garbled, type MarketAnswer, type MarketRequest, UpstreamFault } from './market-client.ts';

/** A route that fails for this many different wallets in a row, or an API for as many requests, is unavailable. */
const FAILURES_MIN = 3;
const PROBE = { firstMs: 5 * SECOND_MS, mostMs: MINUTE_MS };
/** Statuses that concern the caller or the moment, not the route. */
const TRANSIENT: ReadonlySet<number | null> = new Set([401, 403, 408, 425, 429, 451]);

/** Rejection of a request that was not sent: the route is unavailable for every wallet. */
export class RouteUnavailable extends UpstreamFault {}

/** Whether the route answered that it does not serve this request: repeating it soon changes nothing. */
export function isRouteRefusal(error: unknown): boolean {
  if (!(error instanceof UpstreamFault)) return false;
  const { outcome, status } = error;
  return outcome === 'garbled' || (outcome === 'refused' && (status ?? 500) < 500 && !TRANSIENT.has(status));
}

const DNS_CODE = /^(ENOTFOUND|EAI_)/;
const TLS_CODE = /^(EPROTO|HOSTNAME_|CERT_|ERR_SSL_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const CAUSES: Readonly<Record<number, BlindCause>> = {
  403: 'refused',
  404: 'not_found',
  429: 'rate_limited',
  451: 'refused',
};

export function blindCauseOf({ outcome, status, code }: UpstreamFault): BlindCause {
  if (outcome === 'timeout') return 'unreachable';
  if (outcome !== 'unreachable') return CAUSES[status ?? 0] ?? 'failing';
  if (DNS_CODE.test(code)) return 'dns';
  return TLS_CODE.test(code) ? 'tls' : 'unreachable';
}

/** Failures without an answer in between, of a route or of an API. */
interface Failures {
  /** Wallets, or requests that concern none. */
  readonly subjects: Set<unknown>;
  fault: UpstreamFault;
  pausedUntil: number;
  probes: number;
}

/** What is known of an API: until when it asked for a pause, by path, its own failures, and those of its routes for wallets. */
interface ApiHealth {
  readonly limits: Map<string, number>;
  readonly routes: Map<string, Failures>;
  failures: Failures | null;
}

/**
 * What the market's answers say about its routes and APIs, and so which requests are not sent. A route that answers 429
 * is paused alone; its API is while two of its routes are. A route that failed for three different wallets in a row is
 * unavailable for wallets, which have other sources: it is probed after 5 s, then at growing intervals up to a minute,
 * and immediately when its API answers again after an outage. Other requests are always sent: they are the API's probes.
 */
export class RouteHealth {
  readonly #clock: Pick<SteadyClock, 'monotonic'>;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #apis: Readonly<Record<UpstreamApi, ApiHealth>> = {
    data: { limits: new Map(), routes: new Map(), failures: null },
    gamma: { limits: new Map(), routes: new Map(), failures: null },
  };

  constructor(clock: Pick<SteadyClock, 'monotonic'>, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The market asks for a pause of this path. Never shortens an earlier one. */
  limit({ api, path }: Pick<MarketRequest, 'api' | 'path'>, ms: number): void {
    const { limits } = this.#apis[api];
    limits.set(path, Math.max(limits.get(path) ?? 0, this.#clock.monotonic() + ms));
  }

  /** How long requests to this path wait, in milliseconds. While two paths of an API are paused, so are its others. */
  pauseMs({ api, path }: Pick<MarketRequest, 'api' | 'path'>): number {
    const { limits } = this.#apis[api];
    const [, second = 0] = [...limits.values()].toSorted((a, b) => b - a);
    return this.#leftMs(Math.max(limits.get(path) ?? 0, second));
  }

  async guard(request: MarketRequest, send: () => Promise<MarketAnswer>): Promise<MarketAnswer> {
    this.#check(request);
    try {
      const answer = await send();
      if (request.shape?.safeParse(answer.body).success === false)
        throw garbled(`${request.path}: unexpected shape of the answer`);
      this.#answered(request);
      return answer;
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error;
      if (error.status === 404 && request.mayBeAbsent === true) this.#answered(request);
      else if (error.outcome !== 'limited') this.#failed(request, error);
      throw error;
    }
  }

  /** The latest fault while none of the API's routes answers. A refusal says nothing about a wallet then. */
  outage(api: UpstreamApi): UpstreamFault | null {
    const { failures } = this.#apis[api];
    return failures !== null && isUnavailable(failures) ? failures.fault : null;
  }

  #check(request: MarketRequest): void {
    if (request.purpose !== 'facts') return;
    const failures = this.#apis[request.api].routes.get(routeOf(request));
    const message = `${request.path} is unavailable; request not sent`;
    if (failures !== undefined && this.#leftMs(failures.pausedUntil) > 0)
      throw new RouteUnavailable(message, failures.fault);
    if (this.pauseMs(request) > PROBE.firstMs)
      throw new RouteUnavailable(message, { outcome: 'limited', status: 429 });
  }

  #answered(request: MarketRequest): void {
    const api = this.#apis[request.api];
    const path = routeOf(request);
    if (request.purpose === 'facts') {
      if ((api.routes.get(path)?.probes ?? 0) > 0) this.#logger.info({ path }, 'route available again');
      api.routes.delete(path);
    }
    if (this.outage(request.api) !== null)
      for (const failures of api.routes.values()) failures.pausedUntil = 0;
    api.failures = null;
  }

  #failed(request: MarketRequest, fault: UpstreamFault): void {
    const api = this.#apis[request.api];
    api.failures = counted(api.failures, request, fault);
    if (request.purpose !== 'facts') return;
    const path = routeOf(request);
    const failures = counted(api.routes.get(path) ?? null, request, fault);
    api.routes.set(path, failures);
    if (!isUnavailable(failures) || this.#leftMs(failures.pausedUntil) > 0) return;
    failures.probes += 1;
    failures.pausedUntil = this.#clock.monotonic() + backoffMs(PROBE, failures.probes, withoutJitter);
    if (failures.probes > 1) return;
    this.#logger.warn({ path, err: fault }, 'route unavailable for every wallet; using other sources');
  }

  #leftMs(until: number): number {
    return Math.max(0, until - this.#clock.monotonic());
  }
}

function isUnavailable({ subjects }: Failures): boolean {
  return subjects.size >= FAILURES_MIN;
}

function counted(before: Failures | null, { query }: MarketRequest, fault: UpstreamFault): Failures {
  const failures = before ?? { subjects: new Set(), fault, pausedUntil: 0, probes: 0 };
  failures.fault = fault;
  if (!isUnavailable(failures)) failures.subjects.add(query['user'] ?? query['address'] ?? Symbol());
  return failures;
}

/** The list of a wallet's trades is another form of the list of all trades: one may be refused alone. */
function routeOf({ path, query }: MarketRequest): string {
  return path === '/v2/trades' && 'user' in query ? `${path}?user` : path;
}
