import { LRUCache } from 'lru-cache';
import { countedAs } from '../../base/network.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../base/time/sliding-window.ts';

/**
 * At most `most` failures within any `windowMs`. Beyond `addresses` addresses, those whose last failure is oldest are forgotten.
 */
interface FailureRules extends RateLimit {
  readonly addresses: number;
}

/**
 * Counts failures by address, such as wrong keys, and by the network of an IPv6 client. Memory: `addresses` × `most` times
 * (× 8 for networks).
 */
export class FailureLimit {
  readonly #rules: FailureRules;
  readonly #failures: LRUCache<string, SlidingWindow>;

  constructor(rules: FailureRules) {
    this.#rules = rules;
    this.#failures = new LRUCache({ max: rules.addresses });
  }

  /** Counts a failure. Returns 0 if it is within the limit, otherwise the seconds until another failure would be. */
  record(address: string, now: EpochMs): number {
    const counted = countedAs(address, this.#rules.most);
    for (const [subject, limit] of counted) {
      const freeAt = this.#freeAt(subject, limit);
      if (freeAt > now) return Math.max(1, Math.ceil((freeAt - now) / 1_000));
    }
    for (const [subject, limit] of counted) {
      const failures = this.#failures.get(subject) ?? new SlidingWindow(limit);
      failures.add(now);
      this.#failures.set(subject, failures);
    }
    return 0;
  }

  #freeAt(subject: string, most: number): EpochMs {
    const { windowMs } = this.#rules;
    return this.#failures.get(subject)?.freeAt({ most, windowMs }) ?? Number.NEGATIVE_INFINITY;
  }
}
