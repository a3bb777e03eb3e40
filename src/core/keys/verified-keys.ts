import { LRUCache } from 'lru-cache';
import { FairQueue, QueueFullError } from '../async/fair-queue.ts';
import { ConcurrencyQuota } from '../limits/concurrency-quota.ts';
import type { Hasher } from './hasher.ts';
import type { KeyMetrics } from './key-metrics.ts';

/** A presented key and the hash of the row that it must match. */
export interface KeyClaim {
  readonly secret: string;
  readonly digest: string;
  readonly lookup: string;
  readonly hash: string;
  readonly address: string;
  /** Verified after all others: the caller's address has failed too often. */
  readonly isSuspect: boolean;
}

const VALID_MAX = 20_000;
const INVALID_MAX = 2_000;
/** At 20 ms each, the last of a full queue of one lookup part waits 5 s. */
const VERIFICATIONS = { running: 2, runningPerCaller: 1, tasksPerCaller: 257 };
/** Verifications of one lookup part that one address may have in the queue. */
const PER_ADDRESS = 2;

/** The results of argon2 by digest of the key: argon2 runs once for each key, and concurrent requests share the run. */
export class VerifiedKeys {
  readonly #hasher: Pick<Hasher, 'verify'>;
  readonly #metrics: Pick<KeyMetrics, 'argon2Ran'>;
  /** Hashes that keys match, and do not match, by digest. */
  readonly #valid = new LRUCache<string, string>({ max: VALID_MAX });
  readonly #invalid = new LRUCache<string, string>({ max: INVALID_MAX });
  readonly #running = new Map<string, Promise<boolean | 'busy'>>();
  readonly #queue = new FairQueue(VERIFICATIONS);
  readonly #quota = new ConcurrencyQuota();

  constructor(hasher: Pick<Hasher, 'verify'>, metrics: Pick<KeyMetrics, 'argon2Ran'>) {
    this.#hasher = hasher;
    this.#metrics = metrics;
  }

  /** Whether the key with this digest was verified against this hash. */
  matches(digest: string, hash: string): boolean {
    return this.#valid.get(digest) === hash;
  }

  /** Whether the key was verified against any hash. */
  isKnown(digest: string): boolean {
    return this.#valid.has(digest);
  }

  /** `busy`: too many keys with this lookup part wait. Faults of the hasher are thrown. */
  async verify(claim: KeyClaim): Promise<boolean | 'busy'> {
    const { digest, hash, lookup, address } = claim;
    if (this.#valid.get(digest) === hash) return true;
    if (this.#invalid.get(digest) === hash) return false;
    const name = `${digest} ${hash}`;
    const shared = this.#running.get(name);
    if (shared !== undefined) return shared;
    const leave = this.#quota.take(`${lookup} ${address}`, PER_ADDRESS);
    if (leave === null) return 'busy';
    const verification = this.#enqueue(claim).finally(() => {
      leave();
      this.#running.delete(name);
    });
    this.#running.set(name, verification);
    return verification;
  }

  async #enqueue(claim: KeyClaim): Promise<boolean | 'busy'> {
    try {
      return await this.#queue.run(() => this.#run(claim), { caller: claim.lookup, isLast: claim.isSuspect });
    } catch (error) {
      if (error instanceof QueueFullError) return 'busy';
      throw error;
    }
  }

  async #run({ secret, digest, hash }: KeyClaim): Promise<boolean> {
    this.#metrics.argon2Ran();
    const isValid = await this.#hasher.verify(hash, secret);
    (isValid ? this.#valid : this.#invalid).set(digest, hash);
    return isValid;
  }
}
