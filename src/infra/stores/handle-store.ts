import type { CustomerStore, OwnedHandle } from '../../core/customers/customer-store.ts';
import { byPlatform } from '../database/handle-order.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

interface HandleRow extends OwnedHandle {
  readonly nameLower: string | null;
}

const NAMED = { nameLower: { present: true } } as const;

/** A person of a platform belongs to one customer at most. */
export const HANDLES: Declaration<HandleRow> = {
  name: 'handles',
  fields: {
    platform: 'text',
    userId: 'text',
    customerId: 'text',
    name: 'text?',
    nameLower: 'text?',
    chat: 'text',
    isReachable: 'boolean',
  },
  key: ['platform', 'userId'],
  separator: ':',
  sqliteIndexes: {
    handles_by_customer: { fields: ['customerId'] },
    handles_by_name: { fields: ['nameLower'], where: NAMED },
  },
  mongoIndexes: [{ fields: ['customerId'] }, { fields: ['nameLower'], where: NAMED }],
};

export function createHandleStore(open: OpenCollection) {
  const handles = open(HANDLES);
  return {
    async touch({ platform, userId, name, chat }, customerId) {
      const known = await handles.get(platform, userId);
      // Most visits change nothing, and need not wait for the disk.
      if (known?.name === name && known.chat === chat && known.isReachable) return known.customerId;
      const nameLower = name?.toLowerCase() ?? null;
      const row = { platform, userId, customerId, name, nameLower, chat, isReachable: true };
      return (await handles.upsert(row, ['name', 'nameLower', 'chat', 'isReachable'])).customerId;
    },
    async handle({ platform, userId }) {
      const row = await handles.get(platform, userId);
      return row === null ? null : toHandle(row);
    },
    handlesOf: async (customerIds) =>
      (await handles.find({ where: { customerId: { in: customerIds } } })).map(toHandle).toSorted(byPlatform),
    handlesByName: async (name, limit) => {
      const where = { nameLower: name.toLowerCase() };
      return (await handles.find({ where, sort: ['platform', 'userId'], limit })).map(toHandle);
    },
    async markUnreachable(platform, userId) {
      await handles.update({ platform, userId }, { set: { isReachable: false } });
    },
    async moveHandles(from, to) {
      await handles.update({ customerId: from }, { set: { customerId: to } });
    },
    async blankHandles(customerId) {
      await handles.update({ customerId }, { set: { name: null, nameLower: null } });
    },
    removeHandles: async (customerId) => void (await handles.delete({ customerId })),
  } satisfies Partial<CustomerStore>;
}

function toHandle({ nameLower, ...handle }: HandleRow): OwnedHandle {
  return handle;
}
