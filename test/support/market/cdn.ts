import type { Clock } from '../../../src/core/clock.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import type { Answer } from './answer.ts';

/** `Cache-Control: public, max-age=300`, as `/v2/trades` was seen to answer in September and October 2026. */
const MAX_AGE_S = 300;

/**
 * `by-url`: each URL has an entry of its own, as measured; a parameter that differs makes another URL.
 * `ignores-unused`: parameters with `_` in front are no part of the cache key.
 */
export type CdnMode = 'off' | 'by-url' | 'ignores-unused';

/** The CDN in front of the Data API: it answers from its cache whatever the headers of the request ask for. */
export interface Cdn {
  /** Can be switched while it runs; `off` keeps what is cached. */
  mode: CdnMode;
  answer(url: URL, make: () => Answer): Answer;
  /** `Date` minus `Age` of the last answer for the path: what happened later is not in it. */
  asOf(path: string): EpochMs | null;
}

interface Entry {
  readonly answer: Answer;
  readonly storedAt: EpochMs;
}

export function createCdn(clock: Pick<Clock, 'now'>, initial: CdnMode = 'off'): Cdn {
  // In the order in which they were stored.
  const entries = new Map<string, Entry>();
  const served = new Map<string, EpochMs>();
  let mode = initial;

  function evict(now: EpochMs): void {
    for (const [key, { storedAt }] of entries) {
      if (now - storedAt < MAX_AGE_S * 1_000) return;
      entries.delete(key);
    }
  }

  function store(key: string, answer: Answer, now: EpochMs): Entry {
    const entry = { answer, storedAt: now };
    if (answer.status === 200) entries.set(key, entry);
    return entry;
  }

  return {
    get mode() {
      return mode;
    },
    set mode(next) {
      mode = next;
    },
    answer(url, make) {
      if (mode === 'off') return make();
      const now = clock.now();
      evict(now);
      const key = keyOf(url, mode);
      const hit = entries.get(key);
      const { answer, storedAt } = hit ?? store(key, make(), now);
      const age = Math.floor((now - storedAt) / 1_000);
      served.set(url.pathname, now - age * 1_000);
      return { ...answer, headers: { ...answer.headers, ...headersOf(now, hit === undefined ? null : age) } };
    },
    asOf: (path) => served.get(path) ?? null,
  };
}

function keyOf({ pathname, searchParams }: URL, mode: CdnMode): string {
  const pairs = [...searchParams].filter(([name]) => mode === 'by-url' || !name.startsWith('_'));
  return `${pathname}?${new URLSearchParams(pairs)}`;
}

/** `Age` is stated for what comes from the cache only. */
function headersOf(now: EpochMs, age: number | null): Readonly<Record<string, string>> {
  return {
    date: new Date(now).toUTCString(),
    'cache-control': `public, max-age=${MAX_AGE_S}`,
    'x-cache': age === null ? 'Miss from cloudfront' : 'Hit from cloudfront',
    ...(age !== null && { age: String(age) }),
  };
}
