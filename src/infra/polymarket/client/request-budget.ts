import type { Clock } from '../../../core/clock.ts';
import type { UpstreamApi } from '../../../core/metrics/metrics.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { MarketRequest, RequestPurpose } from './market-client.ts';
import { limitsOf, WINDOW_MS } from './request-limits.ts';

/** What is about to be asked. */
export type BudgetedRequest = Pick<MarketRequest, 'api' | 'path' | 'purpose'>;

/** Keeps all requests of this process within the market's limits. */
export interface RequestBudget {
  /**
   * Resolves when the request may be sent, and counts it as sent then; what it gives is to be called when the answer came
   * or failed to, 10 s later at most: the market may have taken it only then. Rejects with the signal's reason.
   */
  take(request: BudgetedRequest, signal: AbortSignal): Promise<() => void>;
  /** Nothing is sent to this API before that moment; never shortens an earlier pause. */
  pause(api: UpstreamApi, until: EpochMs): void;
}

interface Waiter {
  readonly api: UpstreamApi;
  /** Those of one line are served in their order. */
  readonly queue: string;
  readonly logs: readonly SendLog[];
  grant(answered: () => void): void;
}

/**
 * Keeps the moments of the last requests under each limit, so that no window of 10 s holds more, wherever it begins
 * (a bucket of tokens would let two bursts meet). Who came first goes first where requests meet in one limit.
 */
export function createRequestBudget({ clock }: { readonly clock: Clock }): RequestBudget {
  const logsOf = createSendLogs();
  const pausedUntil: Record<UpstreamApi, number> = { data: 0, gamma: 0 };
  const waiting = new Set<Waiter>();
  const time = steadyTime(clock);
  const wakeAt = createAlarm({ clock, time, ring: () => serve() });

  const dueOf = ({ api, logs: its }: Waiter) => Math.max(pausedUntil[api], ...its.map((log) => log.freeAt()));

  function serve(): void {
    const now = time();
    const stuck = new Set<string>();
    let next = Number.POSITIVE_INFINITY;
    for (const waiter of waiting) {
      if (stuck.has(waiter.queue)) continue;
      const due = dueOf(waiter);
      if (due > now) {
        stuck.add(waiter.queue);
        next = Math.min(next, due);
        continue;
      }
      waiting.delete(waiter);
      const sent = waiter.logs.map((log) => log.add(now));
      waiter.grant(() => {
        for (const move of sent) move(time());
      });
    }
    wakeAt(next);
  }

  return {
    take(request, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const its = logsOf(request);
        const waiter: Waiter = {
          api: request.api,
          queue: queueOf(request.purpose, its),
          logs: its.map(([, log]) => log),
          grant(answered) {
            signal.removeEventListener('abort', leave);
            resolve(answered);
          },
        };
        function leave(): void {
          waiting.delete(waiter);
          if (waiting.size === 0) wakeAt(Number.POSITIVE_INFINITY);
          reject(signal.reason);
        }
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(waiter);
        serve();
      });
    },
    pause(api, until) {
      pausedUntil[api] = Math.max(pausedUntil[api], time() + until - clock.now());
    },
  };
}

/** Calls `ring` at the moment last asked for; infinity asks for none. */
function createAlarm({ clock, time, ring }: { clock: Clock; time: () => number; ring: () => void }) {
  let alarm: { readonly due: number; readonly off: AbortController } | null = null;
  return (due: number): void => {
    if (alarm?.due === due) return;
    alarm?.off.abort();
    alarm = null;
    if (due === Number.POSITIVE_INFINITY) return;
    const off = new AbortController();
    alarm = { due, off };
    void clock.sleep(due - time(), off.signal).then(() => {
      if (alarm?.off !== off) return;
      alarm = null;
      ring();
    });
  };
}

function queueOf(purpose: RequestPurpose, its: readonly NamedLog[]): string {
  return [purpose, ...its.map(([name]) => name)].join();
}

type NamedLog = readonly [string, SendLog];

/** The logs a request counts in, made when they are first asked for. */
function createSendLogs(): (request: BudgetedRequest) => readonly NamedLog[] {
  const logs = new Map<string, SendLog>();

  function named(name: string, most: number): NamedLog {
    const log = logs.get(name) ?? createSendLog(most);
    logs.set(name, log);
    return [name, log];
  }

  return ({ api, path, purpose }) =>
    limitsOf(api, path).flatMap(({ name, most, shares }) => {
      const share: number | undefined = shares[purpose];
      const own = share === undefined ? [] : [named(`${name} ${purpose}`, share)];
      return [named(name, most), ...own];
    });
}

/** The moments of the last `most` requests. */
interface SendLog {
  /** From when on one more may be sent. */
  freeAt(): number;
  /** Gives what moves it to a later moment. */
  add(at: number): (to: number) => void;
}

function createSendLog(most: number): SendLog {
  const moments = new Float64Array(most).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  return {
    freeAt: () => (moments[oldest] as number) + WINDOW_MS + 1,
    add(at) {
      const own = oldest;
      moments[own] = at;
      oldest = (oldest + 1) % most;
      return (to) => {
        moments[own] = to;
      };
    },
  };
}

/** The clock's time, that goes on from where it was when the clock is set back. */
function steadyTime(clock: Pick<Clock, 'now'>): () => number {
  let shift = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.now() + shift;
    if (now < last) shift += last - now;
    last = Math.max(last, now);
    return last;
  };
}
