import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../base/async/failure-log.ts';
import { ConcurrencyQuota, FairQueue, QueueFullError } from '../../base/async/fair-queue.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { ApiKey, KeyStore } from './api-key.ts';
import type { Hasher } from './key-text.ts';

/** A presented key and the hash of the row that it must match. */
export interface KeyClaim {
  readonly secret: string;
  readonly digest: string;
  readonly lookup: string;
  readonly hash: string;
  readonly address: string;
}

const VALID_MAX = 20_000;
const INVALID_MAX = 2_000;
/** At 20 ms each, the last of a full queue of one lookup part waits 5 s. */
const VERIFICATIONS = { running: 2, runningPerCaller: 1, tasksPerCaller: 257 };
/** Verifications of one lookup part that one address may have in the queue. */
const PER_ADDRESS = 2;

/**
 * The results of argon2 by digest of the key: argon2 runs once for each key, and concurrent requests share the run. Lookup parts
 * take turns: keys with the same one are verified one after the other.
 */
export class VerifiedKeys {
  readonly #hasher: Pick<Hasher, 'verify'>;
  /** Hashes that keys match, and do not match, by digest. */
  readonly #valid = new LRUCache<string, string>({ max: VALID_MAX });
  readonly #invalid = new LRUCache<string, string>({ max: INVALID_MAX });
  readonly #running = new Map<string, Promise<boolean | 'busy'>>();
  readonly #queue = new FairQueue(VERIFICATIONS);
  readonly #quota = new ConcurrencyQuota();

  constructor(hasher: Pick<Hasher, 'verify'>) {
    this.#hasher = hasher;
  }

  matches(digest: string, hash: string): boolean {
    return this.#valid.get(digest) === hash;
  }

  isKnown(digest: string): boolean {
    return this.#valid.has(digest);
  }

  /** `busy`: too many keys with this lookup part are waiting. Faults of the hasher are thrown. */
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

  #enqueue(claim: KeyClaim): Promise<boolean | 'busy'> {
    return this.#queue.run(() => this.#run(claim), { caller: claim.lookup }).catch(busyWhenFull);
  }

  async #run({ secret, digest, hash }: KeyClaim): Promise<boolean> {
    const isValid = await this.#hasher.verify(hash, secret);
    (isValid ? this.#valid : this.#invalid).set(digest, hash);
    return isValid;
  }
}

/** `null`: no key has this lookup part. `unavailable`: the store does not answer. `busy`: too many reads for the address are waiting. */
type KeyLookup = ApiKey | null | 'unavailable' | 'busy';

interface KeyCacheOptions {
  readonly keys: Pick<KeyStore, 'byLookup'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A row is read again after 4 s, so that a revocation takes effect within 5 s. */
const MAX_AGE_MS = 4_000;
const READ_TIMEOUT_MS = 3_000;
const CAPACITY = 20_000;
/** Reads for keys that were not verified before, by address. */
const NEW_READS = { running: 64, runningPerCaller: 4, tasksPerCaller: 1_024 };

/** Rows of keys, at most 4 s old from the start of a shared read. Unknown keys are not cached. */
export class KeyCache {
  readonly #options: KeyCacheOptions;
  readonly #entries = new LRUCache<string, { readonly key: ApiKey; readonly freshUntil: EpochMs }>({
    max: CAPACITY,
  });
  readonly #reads = new Map<string, Promise<KeyLookup>>();
  readonly #newReads = new FairQueue(NEW_READS);
  readonly #failures: FailureLog;

  constructor(options: KeyCacheOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'key store unavailable; keys cannot be looked up');
  }

  /** The row if it may be used without reading it again. */
  fresh(lookup: string, now: EpochMs): ApiKey | undefined {
    const entry = this.#entries.get(lookup);
    if (entry === undefined) return undefined;
    // After the clock was set back, the row would appear to be read in the future.
    const leftMs = entry.freshUntil - now;
    return leftMs > 0 && leftMs <= MAX_AGE_MS ? entry.key : undefined;
  }

  /** The row, read again if it is too old. `address`: that of the caller, whose turn the read waits for; null for none. */
  async load(lookup: string, address: string | null): Promise<KeyLookup> {
    const key = this.fresh(lookup, this.#options.clock.now());
    if (key !== undefined) return key;
    const running = this.#reads.get(lookup);
    if (running !== undefined) return running;
    const read =
      address === null
        ? this.#read(lookup)
        : this.#newReads.run(() => this.#read(lookup), { caller: address }).catch(busyWhenFull);
    const tracked = read.finally(() => this.#reads.delete(lookup));
    this.#reads.set(lookup, tracked);
    return tracked;
  }

  async #read(lookup: string): Promise<KeyLookup> {
    const { keys, clock } = this.#options;
    const freshUntil = clock.now() + MAX_AGE_MS;
    try {
      const key = await withTimeout({ clock, timeoutMs: READ_TIMEOUT_MS }, keys.byLookup(lookup));
      this.#failures.succeeded();
      if (key === null) this.#entries.delete(lookup);
      else this.#entries.set(lookup, { key, freshUntil });
      return key;
    } catch (error) {
      this.#failures.failed(error);
      return 'unavailable';
    }
  }
}

function busyWhenFull(error: unknown): 'busy' {
  if (error instanceof QueueFullError) return 'busy';
  throw error;
}
