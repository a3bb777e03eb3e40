import type { EpochMs } from '../trade.ts';

/** A lease held by one process. `epoch` grows with every change of hands. */
export interface Lease {
  readonly epoch: number;
}

/** Work that one process does at a time, each under a lease of its own. */
export const LEASES = ['ingest', 'bots'] as const;
export type LeaseName = (typeof LEASES)[number];

/** One lease. */
export interface LeaseStore {
  /** Null while another owner holds an unexpired lease, unless `isGone(owner)` says that owner no longer lives. */
  acquire(claim: {
    owner: string;
    now: EpochMs;
    ttlMs: number;
    isGone(owner: string): boolean;
  }): Promise<Lease | null>;
  /** False when the lease is no longer ours. */
  renew(lease: Lease, claim: { owner: string; now: EpochMs; ttlMs: number }): Promise<boolean>;
  /** Ends the lease if it is ours; the epoch stays, so that the next holder gets a larger one. */
  release(lease: Lease): Promise<void>;
}
