import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../trade.ts';

/** Counts wrong keys by address. */
export interface FailureLimit {
  /** Counts a failure. The answer is 0 when it was within the limit, else the seconds until one is again. */
  record(address: string, now: EpochMs): number;
  /** Whether an address has used up its failures, those that `attempt` still holds included. */
  isSpent(address: string, now: EpochMs): boolean;
  /** Reserves a failure for an attempt under way; call what it returns when the attempt is over. */
  attempt(address: string): () => void;
}

/** `most` failures within any `windowMs`; of so many addresses, the longest quiet ones are forgotten first. */
export interface FailureRules {
  readonly most: number;
  readonly windowMs: number;
  readonly addresses: number;
}

/** Memory: at most `addresses` times `most` moments, and one number an address with attempts under way. */
export function createFailureLimit({ most, windowMs, addresses }: FailureRules): FailureLimit {
  const failures = new LRUCache<string, EpochMs[]>({ max: addresses });
  const pending = new Map<string, number>();

  function recent(address: string, now: EpochMs): EpochMs[] {
    const known = failures.get(address);
    if (known === undefined) return [];
    const live = known.findIndex((at) => at > now - windowMs);
    known.splice(0, live < 0 ? known.length : live);
    return known;
  }

  return {
    record(address, now) {
      const moments = recent(address, now);
      const [oldest] = moments;
      if (moments.length >= most && oldest !== undefined) {
        return Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000));
      }
      moments.push(now);
      failures.set(address, moments);
      return 0;
    },
    isSpent: (address, now) => recent(address, now).length + (pending.get(address) ?? 0) >= most,
    attempt(address) {
      pending.set(address, (pending.get(address) ?? 0) + 1);
      return () => {
        const left = (pending.get(address) ?? 0) - 1;
        if (left > 0) pending.set(address, left);
        else pending.delete(address);
      };
    },
  };
}
