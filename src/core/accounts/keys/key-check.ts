import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../base/time/duration.ts';
import type { Tier } from '../tier.ts';
import { type ApiKey, effectiveTier, hashFor, type KeyStore, type Refused } from './api-key.ts';
import { FailureLimit } from './failure-limit.ts';
import { type Hasher, lookupOf } from './key-text.ts';
import { KeyCache, type KeyClaim, VerifiedKeys } from './verified-keys.ts';

/** Why a caller is refused. `invalid` covers unknown, malformed, wrong and revoked keys alike, so it reveals nothing. */
export type KeyRefusal =
  | Refused<'missing' | 'invalid'>
  | (Refused<'unavailable'> & { readonly retryAfterSeconds: number })
  | LimitedCheck;

/** `failures`: too many wrong keys from this address. `busy`: too many checks of keys like this one are waiting. */
interface LimitedCheck extends Refused<'limited'> {
  readonly why: 'failures' | 'busy';
  readonly retryAfterSeconds: number;
}

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
  readonly keys: Pick<KeyStore, 'byLookup'>;
  readonly hasher: Pick<Hasher, 'verify'>;
  /** SHA-256 as text. */
  readonly digest: (secret: string) => string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

type Attempt = Omit<KeyClaim, 'hash'>;
type Digested = Pick<KeyClaim, 'secret' | 'digest'>;

const DEFERRED = {
  busy: { ok: false, reason: 'limited', why: 'busy', retryAfterSeconds: 1 },
  unavailable: { ok: false, reason: 'unavailable', retryAfterSeconds: 2 },
} as const;
const FAILURES = { most: 60, windowMs: MINUTE_MS, addresses: 10_000 };

/** Checks every protected request and socket. A lookup part that matches no key costs no argon2 run. */
export class KeyCheck {
  readonly #clock: Clock;
  readonly #digest: (secret: string) => string;
  /** Of the last key of each open connection: without it a request takes 6% more processor time. */
  readonly #digests = new WeakMap<object, Digested>();
  readonly #cache: KeyCache;
  readonly #verified: VerifiedKeys;
  readonly #failures = new FailureLimit(FAILURES);

  constructor({ keys, hasher, digest, clock, logger }: KeyCheckOptions) {
    this.#clock = clock;
    this.#digest = digest;
    this.#cache = new KeyCache({ keys, clock, logger });
    this.#verified = new VerifiedKeys(hasher);
  }

  /** The answer for a key that was verified before and whose row was read within 4 s; null if `check` must decide. */
  recall(presented: string, connection: object): KeyAdmission | null {
    const lookup = lookupOf(presented);
    if (lookup === null) return null;
    const now = this.#clock.now();
    const key = this.#cache.fresh(lookup, now);
    if (key === undefined || !this.#isVerified(key, lookup, this.#digestOf(presented, connection), now))
      return null;
    return admission(key, lookup, now);
  }

  #digestOf(secret: string, connection: object): string {
    const last = this.#digests.get(connection);
    if (last?.secret === secret) return last.digest;
    const digest = this.#digest(secret);
    this.#digests.set(connection, { secret, digest });
    return digest;
  }

  /** Failures are counted against the caller's `address`. Faults of the hasher are thrown. */
  async check(presented: string | undefined, address: string): Promise<KeyCheckResult> {
    if (presented === undefined) return this.#refuse('missing', address);
    const lookup = lookupOf(presented);
    if (lookup === null) return this.#refuse('invalid', address);
    const digest = this.#digest(presented);
    return this.#examine({ secret: presented, lookup, digest, address });
  }

  async #examine(attempt: Attempt): Promise<KeyCheckResult> {
    const { lookup, digest, address } = attempt;
    // A key that was verified before waits for nobody.
    const key = await this.#cache.load(lookup, this.#verified.isKnown(digest) ? null : address);
    if (key === 'unavailable' || key === 'busy') return DEFERRED[key];
    const now = this.#clock.now();
    const hash = key === null ? null : liveHash(key, lookup, now);
    if (key === null || hash === null) return this.#refuse('invalid', address);
    if (this.#verified.matches(digest, hash)) return admission(key, lookup, now);
    const isValid = await this.#verified.verify({ ...attempt, hash });
    if (isValid === 'busy') return DEFERRED.busy;
    if (!isValid) return this.#refuse('invalid', address);
    // The row may have grown too old while argon2 ran.
    const current = await this.#cache.load(lookup, null);
    if (current === 'unavailable' || current === 'busy') return DEFERRED[current];
    const verifiedAt = this.#clock.now();
    if (current === null || !this.#isVerified(current, lookup, digest, verifiedAt))
      return this.#refuse('invalid', address);
    return admission(current, lookup, verifiedAt);
  }

  #isVerified(key: ApiKey, lookup: string, digest: string, now: EpochMs): boolean {
    const hash = liveHash(key, lookup, now);
    return hash !== null && this.#verified.matches(digest, hash);
  }

  #refuse(reason: 'missing' | 'invalid', address: string): KeyRefusal {
    const retryAfterSeconds = this.#failures.record(address, this.#clock.now());
    if (retryAfterSeconds > 0) return { ok: false, reason: 'limited', why: 'failures', retryAfterSeconds };
    return { ok: false, reason };
  }
}

function admission(key: ApiKey, lookup: string, now: EpochMs): KeyAdmission {
  return { ok: true, key, tier: effectiveTier(key, now), lookup };
}

/** The hash that a secret with this lookup part must match; null if none of the key's hashes is valid, or the key is revoked. */
function liveHash(key: ApiKey, lookup: string, now: EpochMs): string | null {
  return key.revokedAt === null ? hashFor(key, lookup, now) : null;
}
