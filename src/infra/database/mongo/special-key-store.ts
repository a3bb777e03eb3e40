import type { Connection, mongo } from 'mongoose';
import type { ApiKey, Rotation, RotationResult } from '../../../core/accounts/keys/api-key.ts';
import { KEYS, type SpecialKeyStore } from '../stores/key-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { insertWithin } from './insert-within.ts';
import { MongoFields, SLOT, type StoredDocument } from './mongo-fields.ts';
import { nativeCollection, type ReadLimit, readLimit } from './native-collection.ts';

interface Keys {
  readonly documents: mongo.Collection<StoredDocument>;
  readonly limit: ReadLimit;
}

/** Most requests of former secrets that a key keeps. */
const PAST_REQUESTS_MAX = 20;

/**
 * Each document has a `slot` among the keys of its customer, or null when it was not inserted within a cap or is revoked; and
 * `pastRequests`, the requests of former secrets that were shown.
 */
export function createMongoSpecialKeyStore(connection: Connection): SpecialKeyStore {
  const documents = nativeCollection(connection, KEYS.name);
  const limit = readLimit(connection);
  const keys = { documents, limit };
  const fields = new MongoFields(KEYS);
  const document = (key: ApiKey) => ({ _id: key.id, ...fields.encode(key), [SLOT]: null });
  return {
    async insert(key) {
      if (await isTaken(keys, key.lookup)) return false;
      try {
        await documents.insertOne(document(key));
        return true;
      } catch (error) {
        if (isDuplicateKey(error) && (await isTaken(keys, key.lookup))) return false;
        throw error;
      }
    },
    insertWithin: (key, cap) => {
      const held = { customerId: key.customerId, revokedAt: null };
      return insertWithin(documents, document(key), { held, cap, limit, refusal: () => takenBy(keys, key) });
    },
    async byRequest(request) {
      const found = await documents.findOne(askedBy(request), limit);
      return found === null ? null : fields.toRow(found);
    },
    rotate: (id, rotation) => rotate(keys, id, rotation),
    async retire(id, at) {
      const ended = {
        revokedAt: { $ifNull: ['$revokedAt', at] },
        slot: null,
        handover: null,
        pastRequests: [],
      };
      const isUnseen = { _id: id, 'handover.isShown': false, previous: null };
      return (await documents.updateOne(isUnseen, [{ $set: ended }])).matchedCount === 1;
    },
    removeAll: async (customerId) => void (await documents.deleteMany({ customerId })),
  };
}

function askedBy(request: string) {
  return { $or: [{ 'handover.request': request }, { pastRequests: request }] };
}

async function isTaken(keys: Keys, lookup: string): Promise<boolean> {
  return exists(keys, { $or: [{ lookup }, { 'previous.lookup': lookup }] });
}

async function exists({ documents, limit }: Keys, filter: mongo.Filter<StoredDocument>): Promise<boolean> {
  return (await documents.findOne(filter, { ...limit, projection: { _id: 1 } })) !== null;
}

/** Why the lookup part or the request of a new key is not free. */
async function takenBy(keys: Keys, { lookup, handover }: ApiKey) {
  if (await isTaken(keys, lookup)) return 'lookup_taken';
  return handover !== null && (await exists(keys, askedBy(handover.request))) ? 'request_taken' : null;
}

async function rotate(keys: Keys, _id: string, rotation: Rotation): Promise<RotationResult> {
  const { from, lookup, hash, previous, handover } = rotation;
  const { documents, limit } = keys;
  const current = await documents.findOne({ _id, lookup: from, revokedAt: null }, limit);
  if (current === null) return 'changed';
  if (await isTaken(keys, lookup)) return 'lookup_taken';
  const holder = await documents.findOne(askedBy(handover.request), limit);
  if (holder !== null && holder._id !== _id) return 'request_taken';
  const last = current['handover'] as ApiKey['handover'];
  // As it is now: a secret that is confirmed in between was shown, and must be looked at again.
  const same = { _id, lookup: from, revokedAt: null, handover: last };
  const past =
    last !== null && last.request !== handover.request
      ? { $push: { pastRequests: { $each: [last.request], $slice: -PAST_REQUESTS_MAX } } }
      : {};
  try {
    const change = {
      $set: { lookup, hash, previous, handover },
      ...past,
    } as mongo.UpdateFilter<StoredDocument>;
    return (await documents.updateOne(same, change)).matchedCount === 1 ? 'rotated' : 'changed';
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return (await isTaken(keys, lookup)) ? 'lookup_taken' : 'request_taken';
  }
}
