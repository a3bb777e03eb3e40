import { LRUCache } from 'lru-cache';
import { countedAs } from '../../base/network.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { ConcurrencyQuota } from '../limits/concurrency-quota.ts';

/** `most` failures within any `windowMs`. Of more than `addresses`, those without a failure for longest are forgotten. */
export interface FailureRules {
  readonly most: number;
  readonly windowMs: number;
  readonly addresses: number;
}

/** Counts failures by address, such as wrong keys, and by the network of an IPv6 client. Memory: at most `addresses` × `most` times (× 8 for networks), and the attempts in progress. */
export class FailureLimit {
  readonly #rules: FailureRules;
  readonly #failures: LRUCache<string, EpochMs[]>;
  readonly #attempts = new ConcurrencyQuota();

  constructor(rules: FailureRules) {
    this.#rules = rules;
    this.#failures = new LRUCache({ max: rules.addresses });
  }

  /** Counts a failure. Returns 0 if it is within the limit, otherwise the seconds until a failure is again. */
  record(address: string, now: EpochMs): number {
    const { most, windowMs } = this.#rules;
    const counted = countedAs(address, most).map(
      ([subject, limit]) => [subject, limit, this.#recent(subject, now)] as const,
    );
    for (const [, limit, failures] of counted) {
      const [oldest] = failures;
      if (oldest !== undefined && failures.length >= limit)
        return Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
    }
    for (const [subject, , failures] of counted) {
      failures.push(now);
      this.#failures.set(subject, failures);
    }
    return 0;
  }

  /** When the address is within the limit again; null when it is. Attempts in progress do not count. */
  spentUntil(address: string, now: EpochMs): EpochMs | null {
    const { most, windowMs } = this.#rules;
    const oldest = this.#recent(address, now).at(-most);
    return oldest === undefined ? null : oldest + windowMs;
  }

  /** Whether an address would exceed the limit if all its attempts in progress failed. */
  isSpent(address: string, now: EpochMs): boolean {
    const isSpent = (subject: string, limit: number) =>
      this.#recent(subject, now).length + this.#attempts.count(subject) >= limit;
    return countedAs(address, this.#rules.most).some(([subject, limit]) => isSpent(subject, limit));
  }

  /** Reserves a failure for an attempt in progress. Call the returned function when the attempt is over. */
  attempt(address: string): () => void {
    return this.#attempts.take(address, Number.POSITIVE_INFINITY) as () => void;
  }

  #recent(address: string, now: EpochMs): EpochMs[] {
    const known = this.#failures.get(address) ?? [];
    const live = known.findIndex((at) => at > now - this.#rules.windowMs);
    known.splice(0, live < 0 ? known.length : live);
    return known;
  }
}
