import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { type Answer, isGamma } from './answer.ts';

/**
 * `Cache-Control: public, max-age=…`, as `/v2/trades` and Gamma (300 s) and `/v2/activity` (15 s) were seen to answer in
 * September and October 2026. Of other routes nothing is known; the longer one is assumed.
 */
const MAX_AGE_S = 300;
const MAX_AGES_S: Readonly<Record<string, number>> = { '/v2/activity': 15 };
/** Pages whose URL differs by an unused parameter are not asked for again: the newest of them are enough. */
const MOST_UNIQUE = 50;

/**
 * `by-url`: each URL has an entry of its own, as measured; a parameter that differs makes another URL.
 * `ignores-unused`: parameters with `_` in front are no part of the cache key.
 */
export type CdnMode = 'off' | 'by-url' | 'ignores-unused';

interface Entry {
  readonly answer: Answer;
  readonly storedAt: EpochMs;
}

/** The CDN in front of the market's REST interfaces: it answers from its cache whatever the headers of the request ask for. */
export class Cdn {
  readonly #mode: CdnMode;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, Entry>();
  readonly #unique: string[] = [];

  constructor(clock: Pick<Clock, 'now'>, mode: CdnMode) {
    this.#clock = clock;
    this.#mode = mode;
  }

  answer(url: URL, make: () => Answer): Answer {
    if (this.#mode === 'off') return make();
    const now = this.#clock.now();
    this.#evict(now);
    const key = keyOf(url, this.#mode);
    const kept = this.#entries.get(key);
    const maxAge = MAX_AGES_S[url.pathname] ?? MAX_AGE_S;
    const isHit = kept !== undefined && now - kept.storedAt < maxAge * 1_000;
    const { answer, storedAt } = isHit ? kept : this.#store(key, { answer: make(), storedAt: now });
    const age = Math.floor((now - storedAt) / 1_000);
    const headers = {
      // When it was made, as RFC 9111 has it.
      date: new Date(storedAt).toUTCString(),
      'cache-control': `public, max-age=${maxAge}`,
      ...(isGamma(url.pathname)
        ? { 'cf-cache-status': isHit ? 'HIT' : 'MISS' }
        : { 'x-cache': isHit ? 'Hit from cloudfront' : 'Miss from cloudfront' }),
      // Stated for what comes from the cache only.
      ...(isHit && { age: String(age) }),
    };
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  #store(key: string, entry: Entry): Entry {
    if (entry.answer.status !== 200) return entry;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (/[?&]_/.test(key)) this.#unique.push(key);
    if (this.#unique.length > MOST_UNIQUE) this.#entries.delete(this.#unique.shift() as string);
    return entry;
  }

  #evict(now: EpochMs): void {
    for (const [key, { storedAt }] of this.#entries) {
      if (now - storedAt < MAX_AGE_S * 1_000) return;
      this.#entries.delete(key);
    }
  }
}

function keyOf({ pathname, searchParams }: URL, mode: CdnMode): string {
  const pairs = [...searchParams].filter(([name]) => mode === 'by-url' || !name.startsWith('_'));
  return `${pathname}?${new URLSearchParams(pairs)}`;
}
