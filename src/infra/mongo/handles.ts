import { type Connection, type Model, Schema } from 'mongoose';
import type { CustomerStore, HandleId, OwnedHandle } from '../../core/customers/customer-store.ts';
import { byPlatform } from '../database/handle-order.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `_id` is the platform and the person: they belong to one customer at most. */
export interface HandleDocument extends OwnedHandle {
  readonly _id: string;
  readonly nameLower: string | null;
}

const handleSchema = new Schema<HandleDocument>(
  {
    _id: String,
    platform: String,
    userId: String,
    customerId: String,
    name: { type: String, default: null },
    nameLower: { type: String, default: null },
    chat: String,
    isReachable: Boolean,
  },
  { ...SCHEMA_OPTIONS, collection: 'handles' },
);
handleSchema.index({ customerId: 1 });
handleSchema.index({ nameLower: 1 }, { partialFilterExpression: { nameLower: { $gt: '' } } });

export function createHandleModel(connection: Connection): Model<HandleDocument> {
  return connection.model<HandleDocument>('Handle', handleSchema);
}

type Handles = Pick<
  CustomerStore,
  | ('touch' | 'handle' | 'handlesOf' | 'handlesByName' | 'markUnreachable')
  | ('moveHandles' | 'blankHandles' | 'removeHandles')
>;

export function createMongoHandles(handles: Model<HandleDocument>): Handles {
  return {
    async touch({ platform, userId, name, chat }, candidate) {
      const _id = handleId({ platform, userId });
      const known = await handles.findById(_id).lean();
      // Most visits change nothing.
      if (known?.name === name && known.chat === chat && known.isReachable) return known.customerId;
      const told = { name, nameLower: name?.toLowerCase() ?? null, chat, isReachable: true };
      for (;;) {
        const update = { $set: told, $setOnInsert: { platform, userId, customerId: candidate } };
        const write = handles.findOneAndUpdate({ _id }, update, { upsert: true, returnDocument: 'after' });
        // Of two that make the same person at once, one is told that it is there.
        const document = await write.lean().catch((error: unknown) => {
          if (isDuplicateKey(error)) return null;
          throw error;
        });
        if (document !== null) return document.customerId;
      }
    },
    async handle(id) {
      const document = await handles.findById(handleId(id)).lean();
      return document === null ? null : toHandle(document);
    },
    async handlesOf(customerIds) {
      const found = await handles.find({ customerId: { $in: [...customerIds] } }).lean();
      return found.map(toHandle).toSorted(byPlatform);
    },
    async handlesByName(name, limit) {
      const found = await handles
        .find({ nameLower: name.toLowerCase() })
        .sort({ platform: 1, userId: 1 })
        .limit(limit)
        .lean();
      return found.map(toHandle);
    },
    async markUnreachable(platform, userId) {
      await handles.updateOne({ _id: handleId({ platform, userId }) }, { $set: { isReachable: false } });
    },
    async moveHandles(from, to) {
      await handles.updateMany({ customerId: from }, { $set: { customerId: to } });
    },
    async blankHandles(customerId) {
      await handles.updateMany({ customerId }, { $set: { name: null, nameLower: null } });
    },
    async removeHandles(customerId) {
      await handles.deleteMany({ customerId });
    },
  };
}

function handleId({ platform, userId }: HandleId): string {
  return `${platform}:${userId}`;
}

function toHandle({ _id, nameLower, ...fields }: HandleDocument): OwnedHandle {
  return fields;
}
