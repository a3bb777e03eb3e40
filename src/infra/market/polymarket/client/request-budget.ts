import type { Logger } from '../../../../core/base/logger.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import type { MarketRequest } from './market-client.ts';
import { limitsOf, WINDOW_MS } from './request-limits.ts';
import { RouteHealth } from './route-health.ts';

/** The part of a request that its limits depend on. */
type BudgetedRequest = Pick<MarketRequest, 'api' | 'path' | 'purpose'>;

type NamedLog = readonly [string, SendLog];

interface Waiter {
  readonly request: BudgetedRequest;
  /** Waiters of one queue are served in their order. */
  readonly queue: string;
  readonly logs: readonly SendLog[];
  grant(answered: () => void): void;
}

/**
 * Keeps all requests of this process within the market's limits: no window of 10 s holds more, wherever it begins (with a
 * token bucket two bursts would meet). Requests that share a limit are sent first come, first served.
 */
export class RequestBudget {
  /** Pauses of routes. */
  readonly routes: RouteHealth;
  readonly #clock: Clock;
  readonly #logs = new Map<string, SendLog>();
  readonly #waiting = new Set<Waiter>();
  #alarm: { readonly due: number; readonly off: AbortController } | null = null;
  /** Added to the clock's time, so that it never decreases when the clock is set back. */
  #shift = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#clock = clock;
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
      if (this.#waiting.size === 0) this.#serveAt(Number.POSITIVE_INFINITY);
      reject(signal.reason);
    };
    const waiter: Waiter = {
      request,
      queue: [request.purpose, request.path, ...logs.map(([name]) => name)].join(),
      logs: logs.map(([, log]) => log),
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
      const due = Math.max(paused, ...waiter.logs.map((log) => log.freeAt(WINDOW_MS)));
      if (due > now) {
        blocked.add(waiter.queue);
        next = Math.min(next, due);
        continue;
      }
      this.#waiting.delete(waiter);
      const sent = waiter.logs.map((log) => log.add(now));
      waiter.grant(() => {
        for (const move of sent) move(this.#now());
      });
    }
    this.#serveAt(next);
  }

  /** Serves again at that moment, and only then; never at infinity. */
  #serveAt(due: number): void {
    if (this.#alarm?.due === due) return;
    this.#alarm?.off.abort();
    this.#alarm = null;
    if (due === Number.POSITIVE_INFINITY) return;
    const off = new AbortController();
    this.#alarm = { due, off };
    void this.#clock.sleep(due - this.#now(), off.signal).then(() => {
      if (this.#alarm?.off !== off) return;
      this.#alarm = null;
      this.#serve();
    });
  }

  #now(): number {
    const now = this.#clock.now() + this.#shift;
    if (now < this.#last) this.#shift += this.#last - now;
    this.#last = Math.max(this.#last, now);
    return this.#last;
  }

  /** The logs that a request counts in. */
  #logsOf({ api, path, purpose }: BudgetedRequest): readonly NamedLog[] {
    return limitsOf(api, path).flatMap(({ name, most, shares }) => {
      const share: number | undefined = shares[purpose];
      const own = share === undefined ? [] : [this.#log(`${name} ${purpose}`, share)];
      return [this.#log(name, most), ...own];
    });
  }

  #log(name: string, most: number): NamedLog {
    const log = this.#logs.get(name) ?? new SendLog(most);
    this.#logs.set(name, log);
    return [name, log];
  }
}

/** The moments at which the last `most` requests were sent. */
class SendLog {
  readonly #moments: Float64Array;
  #oldest = 0;

  constructor(most: number) {
    this.#moments = new Float64Array(most).fill(Number.NEGATIVE_INFINITY);
  }

  /** From when on one more may be sent, so that no window holds more than `most`. */
  freeAt(windowMs: number): number {
    return (this.#moments[this.#oldest] as number) + windowMs + 1;
  }

  /** Returns a function that moves the request to a later moment. */
  add(at: number): (to: number) => void {
    const own = this.#oldest;
    this.#moments[own] = at;
    this.#oldest = (own + 1) % this.#moments.length;
    return (to) => {
      this.#moments[own] = to;
    };
  }
}
