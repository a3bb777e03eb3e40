import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { KeyStore } from '../../core/keys/key-store.ts';
import type { KeyDocument } from './key-model.ts';

type KeyChanges = Pick<
  KeyStore,
  | ('revoke' | 'retire' | 'rename' | 'confirmShown' | 'markFirstUsed')
  | ('setTier' | 'moveTrial' | 'moveAll' | 'removeAll')
>;

/** Changes of one field or two; each is one write of one document. */
export function createKeyChanges(keys: Model<KeyDocument>): KeyChanges {
  async function change(filter: QueryFilter<KeyDocument>, set: UpdateQuery<KeyDocument>): Promise<boolean> {
    return (await keys.updateOne(filter, { $set: set })).matchedCount === 1;
  }

  /** Ends a key, at the first moment it was ended, and frees its place. */
  async function end(filter: QueryFilter<KeyDocument>, at: number, more = {}): Promise<boolean> {
    const ended = { revokedAt: { $ifNull: ['$revokedAt', at] }, slot: null, ...more };
    const { matchedCount } = await keys.updateOne(filter, [{ $set: ended }], { updatePipeline: true });
    return matchedCount === 1;
  }

  return {
    revoke: (id, at) => end({ _id: id }, at),
    retire: (id, at) =>
      end({ _id: id, 'handover.isShown': false, previous: null }, at, { handover: null, pastRequests: [] }),
    rename: (id, name) => change({ _id: id }, { name }),
    confirmShown: (id, request) =>
      change({ _id: id, 'handover.request': request }, { 'handover.isShown': true }),
    async markFirstUsed(id, firstUsedAt) {
      const isOnlySecret = { $eq: [{ $ifNull: ['$previous', null] }, null] };
      const isHandedOver = { $ne: [{ $ifNull: ['$handover', null] }, null] };
      const seen = { $mergeObjects: ['$handover', { isShown: true }] };
      const handover = { $cond: [{ $and: [isHandedOver, isOnlySecret] }, seen, '$handover'] };
      const set = [{ $set: { firstUsedAt, handover } }];
      const { matchedCount } = await keys.updateOne({ _id: id, firstUsedAt: null }, set, {
        updatePipeline: true,
      });
      return matchedCount === 1;
    },
    setTier: (id, tier, trialEndsAt) => change({ _id: id }, { tier, trialEndsAt }),
    moveTrial: (id, from, { tier, trialEndsAt }) =>
      change({ _id: id, trialEndsAt: from }, { tier, trialEndsAt }),
    async moveAll(from, to) {
      await keys.updateMany({ customerId: from }, { $set: { customerId: to, slot: null } });
    },
    async removeAll(customerId) {
      await keys.deleteMany({ customerId });
    },
  };
}
