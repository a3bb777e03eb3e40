import type { Model } from 'mongoose';
import type { Lease, LeaseName, LeaseStore } from '../../core/lease/lease-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { LeaseDocument } from './ingest-model.ts';

type Claim = Parameters<LeaseStore['acquire']>[0];

export function createMongoLeaseStore(leases: Model<LeaseDocument>, _id: LeaseName): LeaseStore {
  return {
    async acquire(claim) {
      const found = await leases.findById(_id).lean();
      if (found === null) return first(claim);
      return isFree(found, claim) ? takeOver(found, claim) : null;
    },
    async renew({ epoch }, { owner, now, ttlMs }) {
      const expiresAt = now + ttlMs;
      const { matchedCount } = await leases.updateOne({ _id, epoch, owner }, { $set: { expiresAt } });
      return matchedCount === 1;
    },
    async release({ epoch }) {
      await leases.updateOne({ _id, epoch }, { $set: { owner: null } });
    },
  };

  async function first({ owner, now, ttlMs }: Claim): Promise<Lease | null> {
    try {
      await leases.insertOne({ _id, epoch: 1, owner, expiresAt: now + ttlMs, snapshots: {} });
      return { epoch: 1 };
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Only from the very state that was found free: a renewal or another taker in between wins. */
  async function takeOver(found: LeaseDocument, { owner, now, ttlMs }: Claim): Promise<Lease | null> {
    const { epoch, owner: previous, expiresAt } = found;
    const { matchedCount } = await leases.updateOne(
      { _id, epoch, owner: previous, expiresAt },
      { $set: { epoch: epoch + 1, owner, expiresAt: now + ttlMs } },
    );
    return matchedCount === 1 ? { epoch: epoch + 1 } : null;
  }
}

function isFree({ owner, expiresAt }: LeaseDocument, claim: Claim): boolean {
  return owner === null || owner === claim.owner || claim.now >= expiresAt || claim.isGone(owner);
}
