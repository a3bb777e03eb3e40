import { LRUCache } from 'lru-cache';
import { type BoundedQueueLimits, createBoundedQueue } from '../async/bounded-queue.ts';
import type { Hasher } from './hasher.ts';
import type { KeyMetrics } from './key-metrics.ts';

/** A key to be proven against the hash of its row. */
export interface ProofClaim {
  readonly secret: string;
  readonly digest: string;
  readonly lookup: string;
  readonly hash: string;
  /** Whose places in the line it takes. */
  readonly address: string;
  /** Whether others go first: the caller's address has failed too often. */
  readonly isLast: boolean;
}

/** Remembers which keys were verified, by digest, so that argon2 runs once a key. */
export interface VerifiedKeys {
  /** Whether the key with this digest was verified against this very hash. */
  holds(digest: string, hash: string): boolean;
  /** Whether the key was verified before, against whatever hash. */
  isKnown(digest: string): boolean;
  /** `busy` when too many keys of the same lookup part wait already. */
  verify(claim: ProofClaim): Promise<boolean | 'busy'>;
}

/** What proofs stand on, and their bounds. */
export interface VerifiedKeysDeps {
  readonly hasher: Pick<Hasher, 'verify'>;
  readonly metrics: Pick<KeyMetrics, 'argon2Ran'>;
  readonly queue: BoundedQueueLimits;
  /** Verifications of one lookup part that one address may have under way. */
  readonly waitingPerAddress: number;
  /** Keys remembered as right, and as wrong. */
  readonly right: number;
  readonly wrong: number;
}

/** Concurrent requests with one key share a verification; a wrong key seen again costs none. */
export function createVerifiedKeys(deps: VerifiedKeysDeps): VerifiedKeys {
  const { hasher, metrics, queue: limits, waitingPerAddress, right, wrong } = deps;
  const proven = new LRUCache<string, string>({ max: right });
  const refuted = new LRUCache<string, string>({ max: wrong });
  const running = new Map<string, Promise<boolean>>();
  const queue = createBoundedQueue(limits);
  const runningByAddress = new Map<string, number>();

  async function run({ secret, digest, hash }: ProofClaim): Promise<boolean> {
    metrics.argon2Ran();
    const isRight = await hasher.verify(hash, secret);
    (isRight ? proven : refuted).set(digest, hash);
    return isRight;
  }

  /** Null when the line, or the address's part of it, is full. */
  function enqueue(claim: ProofClaim): Promise<boolean> | null {
    const { lookup, address, isLast } = claim;
    const addressKey = `${lookup} ${address}`;
    const taken = runningByAddress.get(addressKey) ?? 0;
    const started = taken < waitingPerAddress ? queue.run({ group: lookup, isLast }, () => run(claim)) : null;
    if (started === null) return null;
    runningByAddress.set(addressKey, taken + 1);
    return started.finally(() => {
      const left = (runningByAddress.get(addressKey) ?? 1) - 1;
      if (left === 0) runningByAddress.delete(addressKey);
      else runningByAddress.set(addressKey, left);
    });
  }

  return {
    holds: (digest, hash) => proven.get(digest) === hash,
    isKnown: (digest) => proven.get(digest) !== undefined,
    async verify(claim) {
      const { digest, hash } = claim;
      if (proven.get(digest) === hash) return true;
      if (refuted.get(digest) === hash) return false;
      const name = `${digest} ${hash}`;
      const shared = running.get(name);
      if (shared !== undefined) return shared;
      const started = enqueue(claim);
      if (started === null) return 'busy';
      const tracked = started.finally(() => running.delete(name));
      running.set(name, tracked);
      return tracked;
    },
  };
}
