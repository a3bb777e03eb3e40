import type { IdempotencyStore, StoredRequest } from '../../core/idempotency/idempotency.ts';
import type { Declaration, OpenCollection } from './collection.ts';

/** The fingerprint of a request whose resource was created ends with ` created`. */
type RequestRow = Omit<StoredRequest, 'isCreated'>;

const CREATED = ' created';

export const IDEMPOTENCY: Declaration<RequestRow> = {
  name: 'idempotency',
  fields: {
    keyId: 'text',
    name: 'text',
    fingerprint: 'text',
    resourceId: 'text',
    createdAt: 'integer',
  },
  key: ['keyId', 'name'],
  separator: ' ',
  sqliteIndexes: { idempotency_by_age: { fields: ['createdAt'] } },
  mongoIndexes: [{ fields: ['createdAt'] }],
};

export function createIdempotencyStore(open: OpenCollection): IdempotencyStore {
  const requests = open(IDEMPOTENCY);
  const take: IdempotencyStore['take'] = async (request, freeUntil) => {
    const { isCreated: _, ...row } = request;
    if (await requests.put(row, { createdAt: { lte: freeUntil } })) return request;
    const stored = await requests.get(request.keyId, request.name);
    // It was deleted in between, so that the name is free.
    if (stored === null) return take(request, freeUntil);
    const isCreated = stored.fingerprint.endsWith(CREATED);
    return { ...stored, fingerprint: stored.fingerprint.replace(CREATED, ''), isCreated };
  };
  return {
    take,
    async markCreated({ keyId, name, fingerprint }) {
      await requests.update({ keyId, name, fingerprint }, { set: { fingerprint: fingerprint + CREATED } });
    },
    prune: (before) => requests.delete({ createdAt: { lt: before } }),
  };
}
