import { LRUCache } from 'lru-cache';
import { FailureLog } from '../../base/async/failure-log.ts';
import { ConcurrencyQuota, FairQueue, QueueFullError } from '../../base/async/fair-queue.ts';
import { withTimeout } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Tier } from '../tier.ts';
import { type ApiKey, effectiveTier, hashFor, type Keys, type Refused } from './api-key.ts';
import { type Hasher, lookupOf } from './key-text.ts';

/**
 * Why a caller is refused, and when it may try again. `invalid` covers unknown, malformed, wrong and revoked keys alike, so it
 * reveals nothing. `failures`: too many wrong keys from this address. `busy`: too many checks of keys like this one are waiting.
 * `unavailable`: the store does not answer.
 */
export type KeyRefusal =
  | Refused<'missing' | 'invalid'>
  | (Refused<'failures' | 'busy' | 'unavailable'> & { readonly retryAfterSeconds: number });

/** The caller, with the tier of the key at the moment of the check. */
export interface KeyAdmission {
  readonly ok: true;
  readonly key: ApiKey;
  readonly tier: Tier;
  /** The lookup part of the presented secret: that of the key, or of its former secret. */
  readonly lookup: string;
}

/** The answer of a check. */
export type KeyCheckResult = KeyAdmission | KeyRefusal;

interface KeyCheckOptions {
  readonly keys: Pick<Keys, 'byLookup'>;
  readonly hasher: Pick<Hasher, 'verify'>;
  /** SHA-256 as text. */
  readonly digest: (secret: string) => string;
  /** Counts failures by address, in this process: an attacker must not cause writes to the database. */
  readonly failures: Pick<RateLimiter, 'consume'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

interface PresentedKey {
  readonly secret: string;
  readonly digest: string;
  readonly lookup: string;
  readonly address: string;
}

/** `key`: null if no key has the lookup part. */
interface KeyRow {
  readonly key: ApiKey | null;
  /** When the read began. */
  readonly readAt: EpochMs;
}

/** A secret that argon2 has verified, with the row as last read. */
interface VerifiedKey {
  readonly key: ApiKey;
  readonly readAt: EpochMs;
  readonly lookup: string;
  /** The hash that the secret matches. */
  readonly hash: string;
}

/** Null: the key is wrong. */
type Outcome = VerifiedKey | null | 'unavailable' | 'busy';

const FAILURES_PER_MINUTE = 60;
const BUSY = { ok: false, reason: 'busy', retryAfterSeconds: 1 } as const;
const UNAVAILABLE = { ok: false, reason: 'unavailable', retryAfterSeconds: 2 } as const;
/** A row is read again after 4 s, so that a revocation takes effect within 5 s. */
const MAX_AGE_MS = 4_000;
const READ_TIMEOUT_MS = 3_000;
const VERIFIED_MAX = 20_000;
/** Reads for keys that were not verified before, by address. */
const NEW_READS = { running: 64, runningPerCaller: 4, tasksPerCaller: 1_024 };
/** Runs of argon2, by lookup part. At 20 ms each, the last of a full queue of one lookup part waits 5 s. */
const VERIFICATIONS = { running: 2, runningPerCaller: 1, tasksPerCaller: 257 };
/** Verifications of one lookup part that one address may have in the queue. */
const PER_ADDRESS = 2;

/**
 * Checks the key of every protected request and socket. A key that was verified before waits for no one. The row of any other is
 * read in round robin over the addresses, and argon2 runs in round robin over the lookup parts: keys with the same one are
 * verified one after the other. A lookup part that matches no key costs no argon2 run.
 */
export class KeyCheck {
  readonly #options: KeyCheckOptions;
  /** By digest of the secret. */
  readonly #verified = new LRUCache<string, VerifiedKey>({ max: VERIFIED_MAX });
  /** Checks in progress, by digest of the secret: concurrent requests with the same key share one. */
  readonly #running = new Map<string, Promise<Outcome>>();
  readonly #newReads = new FairQueue(NEW_READS);
  readonly #verifications = new FairQueue(VERIFICATIONS);
  readonly #quota = new ConcurrencyQuota();
  readonly #outages: FailureLog;

  constructor(options: KeyCheckOptions) {
    this.#options = options;
    this.#outages = new FailureLog(options.logger, 'key store unavailable; keys cannot be looked up');
  }

  /** The answer for a key that was verified before and whose row was read within 4 s; null if `check` must decide. */
  recall(presented: string): KeyAdmission | null {
    const { digest, clock } = this.#options;
    const verified = this.#verified.get(digest(presented));
    if (verified === undefined) return null;
    const ageMs = clock.now() - verified.readAt;
    // After the clock was set back, the row would appear to be read in the future.
    return ageMs >= 0 && ageMs < MAX_AGE_MS ? this.#admit(verified) : null;
  }

  /** Failures are counted against the caller's `address`. Faults of the hasher are thrown. */
  async check(presented: string | undefined, address: string): Promise<KeyCheckResult> {
    if (presented === undefined) return this.#refuse('missing', address);
    const lookup = lookupOf(presented);
    if (lookup === null) return this.#refuse('invalid', address);
    const digest = this.#options.digest(presented);
    const outcome = await this.#share({ secret: presented, digest, lookup, address });
    if (outcome === 'unavailable') return UNAVAILABLE;
    if (outcome === 'busy') return BUSY;
    return (outcome && this.#admit(outcome)) ?? this.#refuse('invalid', address);
  }

  /** The caller; null if the key was revoked, or the secret replaced, since argon2 verified it. */
  #admit({ key, lookup, hash }: VerifiedKey): KeyAdmission | null {
    const now = this.#options.clock.now();
    return liveHash(key, lookup, now) === hash
      ? { ok: true, key, tier: effectiveTier(key, now), lookup }
      : null;
  }

  async #refuse(reason: 'missing' | 'invalid', address: string): Promise<KeyRefusal> {
    const { isAllowed, resetMs } = await this.#options.failures.consume(address, FAILURES_PER_MINUTE);
    if (isAllowed) return { ok: false, reason };
    return { ok: false, reason: 'failures', retryAfterSeconds: Math.max(1, Math.ceil(resetMs / SECOND_MS)) };
  }

  #share(presented: PresentedKey): Promise<Outcome> {
    const { digest } = presented;
    const running = this.#running.get(digest);
    if (running !== undefined) return running;
    const outcome = this.#examine(presented)
      .catch(busyWhenFull)
      .finally(() => this.#running.delete(digest));
    this.#running.set(digest, outcome);
    return outcome;
  }

  async #examine(presented: PresentedKey): Promise<Outcome> {
    const { digest, lookup, address } = presented;
    const verified = this.#verified.get(digest);
    const read = () => this.#read(lookup);
    const row = await (verified === undefined ? this.#newReads.run(read, { caller: address }) : read());
    if (row === null) return 'unavailable';
    const { key, readAt } = row;
    const hash = key && liveHash(key, lookup, this.#options.clock.now());
    if (key === null || hash === null) {
      this.#verified.delete(digest);
      return null;
    }
    const isKnown = verified?.hash === hash;
    if (!isKnown && !(await this.#verify(presented, hash))) return null;
    const current = { key, readAt, lookup, hash };
    this.#verified.set(digest, current);
    // The key may have been revoked while it waited for argon2.
    return isKnown ? current : this.#examine(presented);
  }

  /** Null if the store does not answer. */
  #read(lookup: string): Promise<KeyRow | null> {
    const { keys, clock } = this.#options;
    const readAt = clock.now();
    return this.#outages.guard(async () => {
      const key = await withTimeout({ clock, timeoutMs: READ_TIMEOUT_MS }, keys.byLookup(lookup));
      return { key, readAt };
    });
  }

  async #verify({ secret, lookup, address }: PresentedKey, hash: string): Promise<boolean> {
    const leave = this.#quota.take(`${lookup} ${address}`, PER_ADDRESS);
    if (leave === null) throw new QueueFullError('caller');
    try {
      const run = () => this.#options.hasher.verify(hash, secret);
      return await this.#verifications.run(run, { caller: lookup });
    } finally {
      leave();
    }
  }
}

/** The hash that a secret with this lookup part must match; null if none of the key's hashes is valid, or the key is revoked. */
function liveHash(key: ApiKey, lookup: string, now: EpochMs): string | null {
  return key.revokedAt === null ? hashFor(key, lookup, now) : null;
}

function busyWhenFull(error: unknown): 'busy' {
  if (error instanceof QueueFullError) return 'busy';
  throw error;
}
