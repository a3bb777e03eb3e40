import type { Clock } from '../clock.ts';
import { MINUTE_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { Tier } from '../tier.ts';
import type { EpochMs } from '../trade.ts';
import { type ApiKey, effectiveTier, hashFor } from './api-key.ts';
import { createFailureLimit, type FailureLimit } from './failure-limit.ts';
import type { Hasher } from './hasher.ts';
import { type CachedKey, createKeyCache } from './key-cache.ts';
import type { KeyMetrics } from './key-metrics.ts';
import type { KeyStore } from './key-store.ts';
import { lookupOf } from './key-text.ts';
import { createVerifiedKeys } from './verified-keys.ts';

/** Why a caller is not let in. `invalid` is one word for unknown, malformed, wrong and revoked keys. */
export type KeyRefusal =
  | { readonly ok: false; readonly reason: 'missing' | 'invalid' }
  | { readonly ok: false; readonly reason: 'unavailable'; readonly retryAfterSeconds: number }
  /** `failures`: too many wrong keys from this address. `busy`: too many checks like this one are waiting. */
  | {
      readonly ok: false;
      readonly reason: 'limited';
      readonly why: 'failures' | 'busy';
      readonly retryAfterSeconds: number;
    };

/** Who calls, with the tier the key has at the moment of the check. */
export interface KeyAdmission {
  readonly ok: true;
  readonly key: ApiKey;
  readonly tier: Tier;
  /** The lookup part of the secret that was presented: the key's own, or that of its former secret. */
  readonly lookup: string;
}

/** Who calls; or why nobody was let in. */
export type KeyCheckResult = KeyAdmission | KeyRefusal;

/** Guards every protected request and socket. */
export interface KeyCheck {
  /**
   * Answers at once, without a promise, for a key that was verified before and whose row was read within 4 s, and
   * for a key that is missing or malformed. `address` is the caller's, against which failures are counted.
   */
  check(
    presented: string | undefined,
    address: string,
    now?: EpochMs,
  ): KeyCheckResult | Promise<KeyCheckResult>;
}

/** What the check stands on. `digest` is SHA-256 as text. */
export interface KeyCheckDeps {
  readonly keys: Pick<KeyStore, 'byLookup'>;
  readonly hasher: Pick<Hasher, 'verify'>;
  readonly digest: (secret: string) => string;
  readonly clock: Clock;
  readonly metrics: Pick<KeyMetrics, 'keyVerified' | 'argon2Ran'>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Attempt {
  readonly secret: string;
  readonly lookup: string;
  readonly digest: string;
  readonly address: string;
  readonly isSuspect: boolean;
}

const BUSY = { ok: false, reason: 'limited', why: 'busy', retryAfterSeconds: 1 } as const;
const AWAY = { ok: false, reason: 'unavailable', retryAfterSeconds: 2 } as const;
/** A row is looked up again after 4 s, so that a revocation is seen within 5 (design, key check). */
const ROWS = {
  maxAgeMs: 4_000,
  timeoutMs: 3_000,
  capacity: 20_000,
  /** Reads for addresses that have used up their failures go through one narrow gate. */
  suspects: { concurrency: 4, concurrencyPerGroup: 4, waitingPerGroup: 64 },
};
const PROOFS = {
  right: 20_000,
  wrong: 2_000,
  /** At 20 ms a check the last of a full line waits 5 s; no address takes more than two places of it. */
  queue: { concurrency: 2, concurrencyPerGroup: 1, waitingPerGroup: 256 },
  waitingPerAddress: 2,
};
/** Source: design, missing or wrong key. */
const FAILURES = { most: 60, windowMs: MINUTE_MS, addresses: 10_000 };

/** A lookup part nobody has costs no argon2; faults of the hasher are thrown. */
export function createKeyCheck(deps: KeyCheckDeps): KeyCheck {
  const { digest: digestOf, clock, metrics } = deps;
  const rows = createKeyCache({ ...deps, ...ROWS });
  const proofs = createVerifiedKeys({ ...deps, ...PROOFS });
  const failures = createFailureLimit(FAILURES);
  const verdicts = createVerdicts(deps, failures);

  function admit(row: CachedKey, lookup: string, how: 'cached' | 'verified'): KeyAdmission {
    metrics.keyVerified(how);
    return verdicts.admit(row, lookup, clock.now());
  }

  async function examine(attempt: Attempt): Promise<KeyCheckResult> {
    const { lookup, digest, address, isSuspect } = attempt;
    const first = await rows.load(lookup, isSuspect);
    if (first === 'away' || first === 'busy') return verdicts.defer(first);
    const hash = first === null ? null : liveHash(first.row, lookup, clock.now());
    if (first === null || hash === null) return verdicts.refuse('invalid', address, clock.now());
    if (proofs.holds(digest, hash)) return admit(first, lookup, 'cached');
    const proof = await proofs.verify({ ...attempt, hash, isLast: isSuspect });
    if (proof === 'busy') return verdicts.defer(proof);
    if (!proof) return verdicts.refuse('invalid', address, clock.now());
    // The wait for argon2 may have been longer than a row stays fresh.
    const current = await rows.load(lookup, isSuspect);
    if (current === 'away' || current === 'busy') return verdicts.defer(current);
    const now = clock.now();
    const live = current === null ? null : liveHash(current.row, lookup, now);
    if (current === null || live === null || !proofs.holds(digest, live)) {
      return verdicts.refuse('invalid', address, now);
    }
    return admit(current, lookup, 'verified');
  }

  return {
    check(presented, address, now = clock.now()) {
      if (presented === undefined) return verdicts.refuse('missing', address, now);
      const lookup = lookupOf(presented);
      if (lookup === null) return verdicts.refuse('invalid', address, now);
      const digest = digestOf(presented);
      const known = rows.fresh(lookup, now);
      const hash = known === undefined ? null : liveHash(known.row, lookup, now);
      if (known !== undefined && hash !== null && proofs.holds(digest, hash)) {
        metrics.keyVerified('cached');
        return verdicts.admit(known, lookup, now);
      }
      const isKnown = proofs.isKnown(digest);
      const isSuspect = !isKnown && failures.isSpent(address, now);
      const end = isKnown ? () => {} : failures.attempt(address);
      return examine({ secret: presented, lookup, digest, address, isSuspect }).finally(end);
    },
  };
}

/** What the secret with this lookup part is proven against; null when none with it works, or the key is revoked. */
function liveHash(row: ApiKey, lookup: string, now: EpochMs): string | null {
  return row.revokedAt === null ? hashFor(row, lookup, now) : null;
}

/** Words the answers and counts them. */
function createVerdicts({ metrics }: Pick<KeyCheckDeps, 'metrics'>, failures: FailureLimit) {
  return {
    admit({ row: key }: CachedKey, lookup: string, now: EpochMs): KeyAdmission {
      return { ok: true, key, tier: effectiveTier(key, now), lookup };
    },
    refuse(reason: 'missing' | 'invalid', address: string, now: EpochMs): KeyRefusal {
      const retryAfterSeconds = failures.record(address, now);
      const isLimited = retryAfterSeconds > 0;
      metrics.keyVerified(isLimited ? 'limited' : 'refused');
      return isLimited
        ? { ok: false, reason: 'limited', why: 'failures', retryAfterSeconds }
        : { ok: false, reason };
    },
    defer(why: 'away' | 'busy'): KeyRefusal {
      if (why === 'away') return AWAY;
      metrics.keyVerified('limited');
      return BUSY;
    },
  };
}
