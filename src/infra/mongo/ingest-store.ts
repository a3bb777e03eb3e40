import type { IngestStore, Lease } from '../../core/ports/ingest-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { LeaseDocument } from './ingest-model.ts';
import type { Models } from './models.ts';
import { createSnapshots } from './snapshots.ts';

const LEASE = 'ingest';

type Claim = Parameters<IngestStore['acquire']>[0];

export function createMongoIngestStore(models: Models): IngestStore {
  const { leases } = models;
  const snapshots = createSnapshots(models);
  return {
    async acquire(claim) {
      const found = await leases.findById(LEASE).lean();
      if (found === null) return first(claim);
      return isFree(found, claim) ? takeOver(found, claim) : null;
    },
    async renew({ epoch }, { owner, now, ttlMs }) {
      const expiresAt = now + ttlMs;
      const { matchedCount } = await leases.updateOne({ _id: LEASE, epoch, owner }, { $set: { expiresAt } });
      return matchedCount === 1;
    },
    async release({ epoch }) {
      await leases.updateOne({ _id: LEASE, epoch }, { $set: { owner: null } });
    },
    readSnapshot: snapshots.read,
    writeSnapshot: snapshots.write,
  };

  async function first({ owner, now, ttlMs }: Claim): Promise<Lease | null> {
    try {
      await leases.insertOne({ _id: LEASE, epoch: 1, owner, expiresAt: now + ttlMs, snapshots: {} });
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
      { _id: LEASE, epoch, owner: previous, expiresAt },
      { $set: { epoch: epoch + 1, owner, expiresAt: now + ttlMs } },
    );
    return matchedCount === 1 ? { epoch: epoch + 1 } : null;
  }
}

function isFree({ owner, expiresAt }: LeaseDocument, claim: Claim): boolean {
  return owner === null || owner === claim.owner || claim.now >= expiresAt || claim.isGone(owner);
}
