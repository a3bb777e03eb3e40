import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { EpochMs } from '../trade.ts';
import type { Lease, LeaseStore } from './lease-store.ts';

/** A lease not renewed for this long may be taken by another process. */
export const LEASE_TTL_MS = 15 * SECOND_MS;
const RENEW_EVERY_MS = LEASE_TTL_MS / 3;
const RENEWAL_TIMEOUT_MS = 2 * SECOND_MS;

/** What a lease is taken from and held with. */
export interface LeaseDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process; unique among all that ever ran. */
  readonly owner: string;
  /** Whether an owner is known to live no more, so that its lease need not run out. */
  readonly isGone: (owner: string) => boolean;
}

/**
 * Does the work while the lease is held and renews it meanwhile. The work's signal aborts with the caller's, and
 * when the lease is lost. `refused`: another process holds it, and nothing was done.
 */
export async function holdLease(
  deps: LeaseDeps,
  signal: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'refused' | 'lost'> {
  const { store, clock, owner, isGone } = deps;
  const lease = await store.acquire({ owner, now: clock.now(), ttlMs: LEASE_TTL_MS, isGone });
  if (lease === null) return 'refused';
  const end = new AbortController();
  const lost = new AbortController();
  const renewal = keepRenewing(deps, lease, AbortSignal.any([signal, end.signal]), () => lost.abort());
  try {
    await work(lease, AbortSignal.any([signal, lost.signal]));
  } finally {
    end.abort();
    await renewal;
  }
  if (lost.signal.aborted) return 'lost';
  // After a fault the lease is left to be taken up again, or to run out: the store may be away.
  await store.release(lease);
  return 'done';
}

async function keepRenewing(
  { store, clock, logger, owner }: LeaseDeps,
  lease: Lease,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  for (;;) {
    await clock.sleep(RENEW_EVERY_MS, signal);
    if (signal.aborted) return;
    try {
      if (await store.renew(lease, { owner, now: clock.now(), ttlMs: LEASE_TTL_MS })) continue;
      return onLost();
    } catch (error) {
      logger.warn({ err: error }, 'a lease could not be renewed; trying again');
    }
  }
}

/**
 * A lease that counts as lost once it has run out, though the store does not answer: for work that nothing else keeps
 * from being done twice. At most 7 s late.
 */
export function lostInTime(store: LeaseStore, clock: Clock): LeaseStore {
  let heldUntil: EpochMs = Number.NEGATIVE_INFINITY;
  return {
    async acquire(claim) {
      const lease = await store.acquire(claim);
      if (lease !== null) heldUntil = claim.now + claim.ttlMs;
      return lease;
    },
    async renew(lease, claim) {
      try {
        const asked = store.renew(lease, claim);
        const isOurs = await withTimeout({ clock, timeoutMs: RENEWAL_TIMEOUT_MS }, asked);
        if (isOurs) heldUntil = claim.now + claim.ttlMs;
        return isOurs;
      } catch (error) {
        if (clock.now() >= heldUntil) return false;
        throw error;
      }
    },
    release: store.release,
  };
}
