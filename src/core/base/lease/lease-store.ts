import type { EpochMs } from '../time/duration.ts';

/** A lease held by one process. `epoch` grows each time another process acquires it. */
export interface Lease {
  readonly epoch: number;
}

/** Work that only one process does at a time, each with its own lease. */
export const LEASES = ['ingest', 'bots', 'fan-out'] as const;
export type LeaseName = (typeof LEASES)[number];

/** One lease. */
export interface LeaseStore {
  /** Null while another owner holds an unexpired lease, unless `isGone(owner)`. */
  acquire(claim: {
    owner: string;
    now: EpochMs;
    ttlMs: number;
    isGone(owner: string): boolean;
  }): Promise<Lease | null>;
  /** False if the lease is not held any more. */
  renew(lease: Lease, claim: { owner: string; now: EpochMs; ttlMs: number }): Promise<boolean>;
  /** Ends the lease if it is still held. The epoch is kept, so that the next holder gets a larger one. */
  release(lease: Lease): Promise<void>;
}
