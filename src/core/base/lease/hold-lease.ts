import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Logger } from '../logger.ts';
import type { SteadyClock } from '../time/clock.ts';
import { type EpochMs, SECOND_MS } from '../time/duration.ts';
import { type Lease, LeaseLost, type WorkerLease } from './lease.ts';

/** A lease that is not renewed for this long may be taken by another process. */
export const LEASE_TTL_MS = 15 * SECOND_MS;
const RENEW_INTERVAL_MS = LEASE_TTL_MS / 3;
const RENEWAL_TIMEOUT_MS = 2 * SECOND_MS;
/** The end of the process must not wait longer; the lease expires then. */
const RELEASE_TIMEOUT_MS = SECOND_MS;

/** The holder of a lease. */
export interface LeaseDeps {
  readonly store: Pick<WorkerLease, 'acquire' | 'renew' | 'release'>;
  readonly clock: SteadyClock;
  /** The time by which leases expire, of one clock for all processes: the database's, where it has one. */
  readonly leaseTime: () => Promise<EpochMs>;
  readonly logger: Logger;
  /** Unique id of this process among all processes ever started. */
  readonly owner: string;
  /** Whether an owner is known to be dead, so that its lease need not expire first. */
  readonly isGone: (owner: string) => boolean;
}

/** The lease during the work of its holder. */
export interface HeldLease {
  /** The lease with a larger epoch: what was begun under an earlier one is refused from then on. Throws `LeaseLost`. */
  next(): Promise<Lease>;
}

/**
 * Does the work while the lease is held, and renews the lease meanwhile. The signal of the work aborts with the caller's, and
 * when the lease is lost: also once it has expired, at most 7 s late, while the store does not answer. `refused`: another
 * process holds the lease, and the work was not started.
 */
export async function holdLease(
  deps: LeaseDeps,
  signal: AbortSignal,
  work: (held: HeldLease, signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'refused' | 'lost'> {
  const holder = new Holder(deps);
  if ((await holder.acquire()) === null) return 'refused';
  const end = new AbortController();
  const renewal = holder.keepRenewing(AbortSignal.any([signal, end.signal]));
  try {
    await work(holder, AbortSignal.any([signal, holder.lost]));
  } finally {
    end.abort();
    await renewal;
  }
  if (holder.lost.aborted) return 'lost';
  // After a fault the lease is not released: the store may be unavailable, and the lease expires.
  await holder.release();
  return 'done';
}

class Holder implements HeldLease {
  readonly #deps: LeaseDeps;
  readonly #lost = new AbortController();
  readonly lost = this.#lost.signal;
  /** Null while the epoch changes. */
  #lease: Lease | null = null;
  /** Monotonic. */
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: LeaseDeps) {
    this.#deps = deps;
  }

  async next(): Promise<Lease> {
    const lease = await this.acquire();
    if (lease !== null) return lease;
    this.#lost.abort();
    throw new LeaseLost('another process holds the lease');
  }

  async acquire(): Promise<Lease | null> {
    const { store, clock, leaseTime, owner, isGone } = this.#deps;
    const former = this.#lease;
    const claimedAt = clock.monotonic();
    this.#lease = null;
    try {
      this.#lease = await store.acquire({ owner, now: await leaseTime(), ttlMs: LEASE_TTL_MS, isGone });
    } catch (error) {
      this.#lease = former;
      throw error;
    }
    if (this.#lease !== null) this.#heldUntil = claimedAt + LEASE_TTL_MS;
    return this.#lease;
  }

  async keepRenewing(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    const failures = new FailureLog(logger, 'renewal of a lease failed; retrying');
    const pauses = { clock, intervalMs: RENEW_INTERVAL_MS, failures };
    await clock.sleep(RENEW_INTERVAL_MS, signal);
    await repeat(() => this.#renew(), { ...pauses, signal: AbortSignal.any([signal, this.lost]) });
  }

  async release(): Promise<void> {
    const { store, clock } = this.#deps;
    const lease = this.#lease;
    if (lease !== null) await withTimeout({ clock, timeoutMs: RELEASE_TIMEOUT_MS }, store.release(lease));
  }

  async #renew(): Promise<void> {
    const { store, clock, leaseTime, owner } = this.#deps;
    const lease = this.#lease;
    if (lease === null) return;
    const claimedAt = clock.monotonic();
    const renewal = async () => store.renew(lease, { owner, now: await leaseTime(), ttlMs: LEASE_TTL_MS });
    try {
      const isHeld = await withTimeout({ clock, timeoutMs: RENEWAL_TIMEOUT_MS }, renewal());
      if (isHeld) this.#heldUntil = claimedAt + LEASE_TTL_MS;
      else if (lease === this.#lease) this.#lost.abort();
    } catch (error) {
      if (clock.monotonic() < this.#heldUntil) throw error;
      this.#lost.abort();
    }
  }
}
