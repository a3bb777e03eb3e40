import type { Logger } from '../../../../core/base/logger.ts';
import type { SteadyClock } from '../../../../core/base/time/clock.ts';
import { SlidingWindow } from '../../../../core/base/time/sliding-window.ts';
import { WakeTimer } from '../../../../core/base/time/wake-timer.ts';
import type { UpstreamApi } from '../../../../core/metrics.ts';
import type { MarketRequest, RequestPurpose } from './market-client.ts';
import { RouteHealth } from './route-health.ts';

type BudgetedRequest = Pick<MarketRequest, 'api' | 'path' | 'purpose'>;

interface SendLog {
  readonly name: string;
  readonly most: number;
  readonly sent: SlidingWindow;
}

interface Waiter {
  readonly request: BudgetedRequest;
  readonly queue: string;
  readonly logs: readonly SendLog[];
  grant(answered: () => void): void;
}

/**
 * Keeps all requests of this process within the market's limits: no window of 10 s holds more, wherever it begins (with a
 * token bucket two bursts would meet). Requests that share a limit are sent first come, first served.
 */
export class RequestBudget {
  readonly routes: RouteHealth;
  readonly #now: () => number;
  readonly #logs = new Map<string, SendLog>();
  readonly #waiting = new Set<Waiter>();
  readonly #wake: WakeTimer;
  constructor(clock: SteadyClock, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#now = () => clock.monotonic();
    this.#wake = new WakeTimer({ now: this.#now, sleep: clock.sleep.bind(clock) }, () => this.#serve());
    this.routes = new RouteHealth(clock, logger);
  }

  /**
   * Resolves when the request may be sent, and counts it as sent then. Call the result when the answer came or failed,
   * 10 s later at most: the market may have counted the request only then. Rejects with the signal's reason.
   */
  take(request: BudgetedRequest, signal: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    if (signal.aborted) return Promise.reject(signal.reason);
    const logs = this.#logsOf(request);
    const leave = () => {
      this.#waiting.delete(waiter);
      if (this.#waiting.size === 0) this.#wake.set(null);
      reject(signal.reason);
    };
    const waiter: Waiter = {
      request,
      queue: [request.purpose, request.path, ...logs.map(({ name }) => name)].join(),
      logs,
      grant(answered) {
        signal.removeEventListener('abort', leave);
        resolve(answered);
      },
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiter);
    this.#serve();
    return promise;
  }

  #serve(): void {
    const now = this.#now();
    const blocked = new Set<string>();
    let next = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiting) {
      if (blocked.has(waiter.queue)) continue;
      const paused = now + this.routes.pauseMs(waiter.request);
      const due = Math.max(paused, ...waiter.logs.map((log) => freeAt(log)));
      if (due > now) {
        blocked.add(waiter.queue);
        next = Math.min(next, due);
        continue;
      }
      this.#waiting.delete(waiter);
      const sent = waiter.logs.map((log) => log.sent.add(now));
      waiter.grant(() => {
        for (const move of sent) move(this.#now());
      });
    }
    this.#wake.set(next === Number.POSITIVE_INFINITY ? null : next);
  }

  #logsOf({ api, path, purpose }: BudgetedRequest): readonly SendLog[] {
    return limitsOf(api, path).flatMap(({ name, most, shares }) => {
      const share: number | undefined = shares[purpose];
      const own = share === undefined ? [] : [this.#log(`${name} ${purpose}`, share)];
      return [this.#log(name, most), ...own];
    });
  }

  #log(name: string, most: number): SendLog {
    const log = this.#logs.get(name) ?? { name, most, sent: new SlidingWindow(most) };
    this.#logs.set(name, log);
    return log;
  }
}

/** Both ends of the market's window may count. */
function freeAt({ most, sent }: SendLog): number {
  return sent.freeAt({ most, windowMs: WINDOW_MS + 1 });
}

/** The market counts requests of an address over a sliding window of so many milliseconds. */
const WINDOW_MS = 10_000;
/** How much of what the market allows is used. Below a half: what is sent over two windows may arrive in one. */
const USED = 0.45;

interface RequestLimit {
  readonly name: string;
  readonly most: number;
  /** How many of them may be for this purpose. What is not named here may use all: shares leave polling its own. */
  readonly shares: Readonly<Partial<Record<RequestPurpose, number>>>;
}

interface Rule {
  readonly published: number;
  readonly api: UpstreamApi | null;
  readonly paths: RegExp | null;
  readonly shares?: RequestLimit['shares'];
}

/**
 * Limits of Data API v2 as documented in October 2026. Polling asks for 10 to 30 pages in 10 s; facts of 5,000 new wallets
 * an hour are 14 wallets in 10 s, of three to ten requests each.
 */
const RULES: readonly Rule[] = [
  { published: 15_000, api: null, paths: null },
  {
    published: 800,
    api: 'data',
    paths: null,
    shares: { facts: 220, resolutions: 40, markets: 20 },
  },
  { published: 300, api: 'data', paths: /^\/v2\/trades$/, shares: { facts: 60, sweep: 20 } },
  { published: 200, api: 'data', paths: /^\/v2\/(positions|activity)$/, shares: { facts: 80 } },
  { published: 100, api: 'data', paths: /^\/v2\/status$/ },
  { published: 4_000, api: 'gamma', paths: null },
  {
    published: 300,
    api: 'gamma',
    paths: /^\/markets(\/|$)/,
    shares: { resolutions: 60 },
  },
  { published: 500, api: 'gamma', paths: /^\/events(\/|$)/ },
  { published: 900, api: 'gamma', paths: /^\/(markets|events)(\/|$)/ },
  { published: 200, api: 'gamma', paths: /^\/tags(\/|$)/ },
  { published: 350, api: 'gamma', paths: /^\/public-search$/ },
];

export function limitsOf(api: UpstreamApi, path: string): readonly RequestLimit[] {
  return RULES.filter((rule) => (rule.api ?? api) === api && (rule.paths?.test(path) ?? true)).map(
    ({ published, api: of, paths, shares = {} }) => ({
      name: `${of ?? 'all'} ${paths?.source ?? ''}`,
      most: Math.floor(published * USED),
      shares,
    }),
  );
}
