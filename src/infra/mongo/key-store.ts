import type { Model } from 'mongoose';
import type { ApiKey } from '../../core/keys/api-key.ts';
import type { KeyInsert, KeyStore, Rotation, RotationResult } from '../../core/keys/key-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { createKeyChanges } from './key-changes.ts';
import { AGE_INDEX, type KeyDocument } from './key-model.ts';

/** A key keeps so many requests of secrets it had. */
const PAST_REQUESTS = 20;

export function createMongoKeyStore(keys: Model<KeyDocument>): KeyStore {
  const one = (document: KeyDocument | null) => (document === null ? null : toKey(document));
  return {
    async insert({ id, ...fields }) {
      if (await isTaken(keys, fields.lookup)) return false;
      try {
        await keys.insertOne({ _id: id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error) && (await isTaken(keys, fields.lookup))) return false;
        throw error;
      }
    },
    insertWithin: (key, cap) => insertWithin(keys, key, cap),
    byLookup: async (lookup) => one(await keys.findOne(presenting(lookup)).lean()),
    byId: async (id) => one(await keys.findById(id).lean()),
    byIds: async (ids) => (await keys.find({ _id: { $in: [...ids] } }).lean()).map(toKey),
    byCustomer: async (customerId) =>
      (await keys.find({ customerId, revokedAt: null }).sort(AGE_INDEX).lean()).map(toKey),
    idsOf: async (customerId) => (await keys.find({ customerId }).select('_id').lean()).map(({ _id }) => _id),
    byRequest: async (request) => one(await keys.findOne(askedBy(request)).lean()),
    list: async () => (await keys.find().sort(AGE_INDEX).lean()).map(toKey),
    rotate: (id, rotation) => rotate(keys, id, rotation),
    async endedTrials(now, limit) {
      const ended = { tier: 'pro', revokedAt: null, trialEndsAt: { $lte: now, $ne: null } } as const;
      return (await keys.find(ended).sort({ trialEndsAt: 1, _id: 1 }).limit(limit).lean()).map(toKey);
    },
    ...createKeyChanges(keys),
  };
}

function presenting(lookup: string) {
  return { $or: [{ lookup }, { 'previous.lookup': lookup }] };
}

function askedBy(request: string) {
  return { $or: [{ 'handover.request': request }, { pastRequests: request }] };
}

async function isTaken(keys: Model<KeyDocument>, lookup: string): Promise<boolean> {
  return (await keys.exists(presenting(lookup))) !== null;
}

/**
 * Each key takes the first place of the customer's that is free, unique among theirs: of several processes that see
 * the same keys one gets on, and the others look again. Keys without a place count, too.
 */
async function insertWithin(
  keys: Model<KeyDocument>,
  { id: _id, ...fields }: ApiKey & { readonly customerId: string },
  cap: number,
): Promise<KeyInsert> {
  const { customerId, lookup, handover } = fields;
  for (;;) {
    const held = await keys.find({ customerId, revokedAt: null }).select('slot').lean();
    if (held.length >= cap) return 'too_many';
    if (await isTaken(keys, lookup)) return 'lookup_taken';
    if (handover !== null && (await keys.exists(askedBy(handover.request))) !== null) return 'request_taken';
    const taken = new Set(held.map(({ slot }) => slot));
    const slot = Array.from({ length: cap }, (_, place) => place).find((place) => !taken.has(place));
    try {
      await keys.insertOne({ _id, ...fields, slot: slot ?? null });
      return 'inserted';
    } catch (error) {
      // What was taken meanwhile is seen in the next round: then somebody else got on.
      if (!isDuplicateKey(error) || (await keys.exists({ _id })) !== null) throw error;
    }
  }
}

async function rotate(keys: Model<KeyDocument>, _id: string, rotation: Rotation): Promise<RotationResult> {
  const { from, lookup, hash, previous, handover } = rotation;
  const current = await keys.findOne({ _id, lookup: from, revokedAt: null }).lean();
  if (current === null) return 'changed';
  if (await isTaken(keys, lookup)) return 'lookup_taken';
  const holder = await keys.findOne(askedBy(handover.request)).lean();
  if (holder !== null && holder._id !== _id) return 'request_taken';
  const { handover: last } = current;
  // As it is now: a secret that is confirmed in between was shown, and must be looked at again.
  const same = { _id, lookup: from, revokedAt: null, handover: last };
  const past =
    last !== null && last.request !== handover.request
      ? { $push: { pastRequests: { $each: [last.request], $slice: -PAST_REQUESTS } } }
      : {};
  try {
    const change = { $set: { lookup, hash, previous, handover }, ...past };
    return (await keys.updateOne(same, change)).matchedCount === 1 ? 'rotated' : 'changed';
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await isTaken(keys, lookup)) ? 'lookup_taken' : 'request_taken';
  }
}

function toKey({ _id, slot, pastRequests, ...fields }: KeyDocument): ApiKey {
  return { id: _id, ...fields };
}
