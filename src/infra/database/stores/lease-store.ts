import { isDeepStrictEqual } from 'node:util';
import type { Lease, LeaseStore } from '../../../core/base/lease/lease.ts';
import type { Snapshot } from '../../../core/ingest/ingest-stores.ts';
import type { Declaration, OpenCollection } from './collection.ts';

/** The only lease: that of the process that does all work. */
export const WORKER = 'worker';

interface LeaseRow {
  readonly name: typeof WORKER;
  readonly epoch: number;
  /** Null after a release. The row stays, so that the next epoch is larger. */
  readonly owner: string | null;
  readonly expiresAt: number;
  /** By source: one update both checks the epoch and names a snapshot. */
  readonly snapshots: Readonly<Record<string, Omit<Snapshot, 'source'>>> | null;
}

export const LEASE: Declaration<LeaseRow> = {
  name: 'lease',
  fields: { name: 'text', epoch: 'integer', owner: 'text?', expiresAt: 'integer', snapshots: 'json?' },
  key: ['name'],
};

type Claim = Parameters<LeaseStore['acquire']>[0];

/** A lease is free when it has expired, or when this process saw no renewal for its whole length. */
export function createLeaseStore(open: OpenCollection): LeaseStore {
  const leases = open(LEASE);
  let seen: { readonly row: LeaseRow; readonly at: number } | null = null;

  /** How long this process has seen the row as it is. */
  function unchangedMs(row: LeaseRow): number {
    const now = performance.now();
    if (seen === null || !isDeepStrictEqual(seen.row, row)) seen = { row, at: now };
    return now - seen.at;
  }

  return {
    async acquire(claim) {
      const held = { owner: claim.owner, expiresAt: claim.now + claim.ttlMs };
      const found = await leases.get(WORKER);
      if (found === null) {
        const inserted = await leases.insertNew([{ name: WORKER, epoch: 1, ...held, snapshots: null }]);
        return inserted.length === 1 ? { epoch: 1 } : null;
      }
      const isSilent = unchangedMs(found) >= claim.ttlMs;
      if (!isSilent && !isFree(found, claim)) return null;
      // Only from the state that was found free: a renewal or another process that takes it in between wins.
      const { snapshots, ...seen } = found;
      const epoch = found.epoch + 1;
      return (await leases.update(seen, { set: { epoch, ...held } })) === 1 ? { epoch } : null;
    },
    renew: async ({ epoch }, { owner, now, ttlMs }) =>
      (await leases.update({ name: WORKER, epoch, owner }, { set: { expiresAt: now + ttlMs } })) === 1,
    release: async ({ epoch }) =>
      void (await leases.update({ name: WORKER, epoch }, { set: { owner: null } })),
  };
}

/** Whether a lease is still current. */
export function createHolderCheck(open: OpenCollection): (lease: Lease) => Promise<boolean> {
  const leases = open(LEASE);
  return async (lease) => (await leases.pick(['epoch'], { where: heldBy(lease) })).length === 1;
}

function isFree({ owner, expiresAt }: LeaseRow, claim: Claim): boolean {
  return owner === null || owner === claim.owner || claim.now >= expiresAt || claim.isGone(owner);
}

export function heldBy({ epoch }: Lease) {
  return { name: WORKER, epoch, owner: { ne: null } } as const;
}
