import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Logger } from '../logger.ts';
import type { Clock, SteadyClock } from '../time/clock.ts';
import { type EpochMs, SECOND_MS } from '../time/duration.ts';

/** A lease that is not renewed for this long may be taken by another process. */
export const LEASE_TTL_MS = 15 * SECOND_MS;
const RENEW_INTERVAL_MS = LEASE_TTL_MS / 3;
const RENEWAL_TIMEOUT_MS = 2 * SECOND_MS;

/** The holder of a lease. */
export interface LeaseDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  /** The time by which leases expire, of one clock for all processes: the database's, where it has one. */
  readonly leaseTime: () => Promise<EpochMs>;
  readonly logger: Logger;
  /** Unique id of this process among all processes ever started. */
  readonly owner: string;
  /** Whether an owner is known to be dead, so that its lease need not expire first. */
  readonly isGone: (owner: string) => boolean;
}

/**
 * Does the work while the lease is held, and renews the lease meanwhile. The signal of the work aborts with the caller's, and
 * when the lease is lost. `refused`: another process holds the lease, and the work was not started.
 */
export async function holdLease(
  deps: LeaseDeps,
  signal: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'refused' | 'lost'> {
  const { store, leaseTime, owner, isGone } = deps;
  const lease = await store.acquire({ owner, now: await leaseTime(), ttlMs: LEASE_TTL_MS, isGone });
  if (lease === null) return 'refused';
  const end = new AbortController();
  const lost = new AbortController();
  const renewal = keepRenewing(deps, lease, AbortSignal.any([signal, end.signal]), lost);
  try {
    await work(lease, AbortSignal.any([signal, lost.signal]));
  } finally {
    end.abort();
    await renewal;
  }
  if (lost.signal.aborted) return 'lost';
  // After a fault the lease is not released: the store may be unavailable, and the lease expires.
  await store.release(lease);
  return 'done';
}

async function keepRenewing(
  { store, clock, leaseTime, logger, owner }: LeaseDeps,
  lease: Lease,
  signal: AbortSignal,
  lost: AbortController,
): Promise<void> {
  const renew = async () => {
    if (!(await store.renew(lease, { owner, now: await leaseTime(), ttlMs: LEASE_TTL_MS }))) lost.abort();
  };
  const failures = new FailureLog(logger, 'renewal of a lease failed; retrying');
  const either = AbortSignal.any([signal, lost.signal]);
  await clock.sleep(RENEW_INTERVAL_MS, signal);
  await repeat(renew, { clock, signal: either, intervalMs: RENEW_INTERVAL_MS, failures });
}

/**
 * A lease that counts as lost once it has expired, even if the store does not answer: for work that must not be done twice and
 * is not fenced by the store. At most 7 s late.
 */
export function lostInTime(store: LeaseStore, clock: SteadyClock): LeaseStore {
  /** Monotonic. */
  let heldUntil = Number.NEGATIVE_INFINITY;
  return {
    async acquire(claim) {
      const claimedAt = clock.monotonic();
      const lease = await store.acquire(claim);
      if (lease !== null) heldUntil = claimedAt + claim.ttlMs;
      return lease;
    },
    async renew(lease, claim) {
      const claimedAt = clock.monotonic();
      try {
        const renewal = store.renew(lease, claim);
        const isHeld = await withTimeout({ clock, timeoutMs: RENEWAL_TIMEOUT_MS }, renewal);
        if (isHeld) heldUntil = claimedAt + claim.ttlMs;
        return isHeld;
      } catch (error) {
        if (clock.monotonic() >= heldUntil) return false;
        throw error;
      }
    },
    release: store.release,
  };
}

/** A snapshot was refused: another process holds the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** A lease held by one process. `epoch` grows each time another process acquires it. */
export interface Lease {
  readonly epoch: number;
}

/** Work that only one process does at a time, each with its own lease. */
export type LeaseName = 'ingest' | 'bots';

/** One lease. */
export interface LeaseStore {
  /** Null while another owner holds an unexpired lease, unless `isGone(owner)`. */
  acquire(claim: {
    owner: string;
    now: EpochMs;
    ttlMs: number;
    isGone(owner: string): boolean;
  }): Promise<Lease | null>;
  /** False if the lease is no longer held. */
  renew(lease: Lease, claim: { owner: string; now: EpochMs; ttlMs: number }): Promise<boolean>;
  /** Ends the lease if it is still held. The epoch is kept, so that the next holder gets a larger one. */
  release(lease: Lease): Promise<void>;
}
