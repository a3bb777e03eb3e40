import type { IdempotencyStore, StoredRequest } from '../../../core/accounts/idempotency.ts';
import type { Declaration, OpenCollection } from './collection.ts';

export const IDEMPOTENCY: Declaration<StoredRequest> = {
  name: 'idempotency',
  fields: {
    keyId: 'text',
    name: 'text',
    fingerprint: 'text',
    resourceId: 'text',
    createdAt: 'integer',
    isCreated: 'boolean',
  },
  key: ['keyId', 'name'],
  separator: ' ',
  indexes: { idempotency_by_age: { fields: ['createdAt'] } },
};

export function createIdempotencyStore(open: OpenCollection): IdempotencyStore {
  const requests = open(IDEMPOTENCY);
  const take: IdempotencyStore['take'] = async (request, freeUntil) => {
    if (await requests.put(request, { createdAt: { lte: freeUntil } })) return request;
    // It may have been deleted in between: then the name is free.
    return (await requests.get(request.keyId, request.name)) ?? take(request, freeUntil);
  };
  return {
    take,
    async markCreated({ keyId, name, fingerprint }) {
      await requests.update({ keyId, name, fingerprint }, { set: { isCreated: true } });
    },
    prune: (before) => requests.delete({ createdAt: { lt: before } }),
    removeOf: async (keyId) => void (await requests.delete({ keyId })),
  };
}
