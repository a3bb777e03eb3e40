import type { Clock } from '../../../src/core/base/time/clock.ts';
import { isGamma } from './answer.ts';

const WINDOW_MS = 10_000;

/** The published limits: requests in any 10 seconds. A request counts for each that its path falls under. */
const LIMITS = {
  data: 800,
  'data /v2/trades': 300,
  'data /v2/status': 100,
  'data /v2/activity': 200,
  gamma: 4_000,
  'gamma /markets': 300,
  'gamma listings': 900,
} as const;
type Limit = keyof typeof LIMITS;

/** Requests of the last 10 seconds. */
interface Window {
  readonly times: number[];
  most: number;
}

export class RateLimits {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #isEnforced: boolean;
  readonly #windows = new Map<Limit, Window>();
  #total = 0;
  #refused = 0;

  constructor(clock: Pick<Clock, 'now'>, { isEnforced }: { isEnforced: boolean }) {
    this.#clock = clock;
    this.#isEnforced = isEnforced;
  }

  get total(): number {
    return this.#total;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Counts a request. The seconds until the limit it is above lets one through again; null: it is within all. */
  note(path: string): number | null {
    const now = this.#clock.now();
    this.#total += 1;
    let waitMs = 0;
    for (const limit of limitsOf(path)) {
      const { times } = this.#noteFor(limit, now);
      // Above Gamma's limits requests are delayed, not refused; here they are only counted.
      const oldest = times.at(-LIMITS[limit] - 1);
      if (oldest !== undefined && !isGamma(path)) waitMs = Math.max(waitMs, oldest + WINDOW_MS - now);
    }
    if (!this.#isEnforced || waitMs <= 0) return null;
    this.#refused += 1;
    return Math.ceil(waitMs / 1_000);
  }

  /** The most requests in any 10 s as a share of their limit: 1 is the limit itself. */
  largestShare(): { readonly limit: Limit; readonly share: number } {
    const shares = (Object.keys(LIMITS) as Limit[]).map((limit) => ({
      limit,
      share: (this.#windows.get(limit)?.most ?? 0) / LIMITS[limit],
    }));
    return shares.reduce((largest, next) => (next.share > largest.share ? next : largest));
  }

  #noteFor(limit: Limit, now: number): Window {
    const window = this.#windows.get(limit) ?? { times: [], most: 0 };
    this.#windows.set(limit, window);
    window.times.push(now);
    window.times.splice(
      0,
      window.times.findIndex((time) => time > now - WINDOW_MS),
    );
    window.most = Math.max(window.most, window.times.length);
    return window;
  }
}

function limitsOf(path: string): readonly Limit[] {
  if (path.startsWith('/markets')) return ['gamma', 'gamma /markets', 'gamma listings'];
  if (isGamma(path)) return ['gamma'];
  const own = `data ${path}`;
  return own in LIMITS ? ['data', own as Limit] : ['data'];
}
