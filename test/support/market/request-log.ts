import type { Clock } from '../../../src/core/clock.ts';

const WINDOW_MS = 10_000;

/** The published limits: requests in any 10 seconds. A request counts for each that its path falls under. */
const LIMITS = {
  data: 1_000,
  'data /trades': 200,
  gamma: 4_000,
  'gamma /markets': 300,
  'gamma listings': 900,
} as const;
type Limit = keyof typeof LIMITS;

const GAMMA_PATHS = ['/markets', '/public-profile'];

/** What was asked of the stand-in, measured against the published limits in the clock's time. */
export interface RequestLog {
  note(path: string): void;
  readonly total: number;
  count(path: string): number;
  /** The most requests in any 10 s. */
  most(limit: Limit): number;
  /** The largest of those as a share of its limit: 1 is the limit itself. */
  largestShare(): { readonly limit: Limit; readonly share: number };
}

export function createRequestLog(clock: Pick<Clock, 'now'>): RequestLog {
  const counts = new Map<string, number>();
  const recent = new Map<Limit, number[]>();
  const most = new Map<Limit, number>();
  let total = 0;

  function noteFor(limit: Limit, now: number): void {
    const times = recent.get(limit) ?? [];
    recent.set(limit, times);
    times.push(now);
    const firstInWindow = times.findIndex((time) => time > now - WINDOW_MS);
    times.splice(0, firstInWindow);
    most.set(limit, Math.max(most.get(limit) ?? 0, times.length));
  }

  return {
    note(path) {
      const now = clock.now();
      total += 1;
      counts.set(path, (counts.get(path) ?? 0) + 1);
      for (const limit of limitsOf(path)) noteFor(limit, now);
    },
    get total() {
      return total;
    },
    count: (path) => counts.get(path) ?? 0,
    most: (limit) => most.get(limit) ?? 0,
    largestShare() {
      const shares = (Object.keys(LIMITS) as Limit[]).map((limit) => ({
        limit,
        share: (most.get(limit) ?? 0) / LIMITS[limit],
      }));
      return shares.reduce((largest, next) => (next.share > largest.share ? next : largest));
    },
  };
}

function limitsOf(path: string): readonly Limit[] {
  if (path.startsWith('/markets')) return ['gamma', 'gamma /markets', 'gamma listings'];
  if (GAMMA_PATHS.some((prefix) => path.startsWith(prefix))) return ['gamma'];
  return path.endsWith('/trades') ? ['data', 'data /trades'] : ['data'];
}
