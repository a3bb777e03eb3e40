import { type Connection, type Model, Schema } from 'mongoose';
import type { Notice, NoticeStore } from '../../core/ports/notice-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface NoticeDocument extends Omit<Notice, 'id'> {
  readonly _id: string;
}

const AGE_INDEX = { createdAt: 1, _id: 1 } as const;

const noticeSchema = new Schema<NoticeDocument>(
  { _id: String, keyId: String, kind: String, facts: Schema.Types.Mixed, createdAt: Number },
  { ...SCHEMA_OPTIONS, collection: 'notices' },
);
noticeSchema.index(AGE_INDEX);

export function createNoticeModel(connection: Connection): Model<NoticeDocument> {
  return connection.model<NoticeDocument>('Notice', noticeSchema);
}

export function createMongoNoticeStore(notices: Model<NoticeDocument>): NoticeStore {
  return {
    async add({ id, ...fields }) {
      try {
        await notices.insertOne({ _id: id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    list: async (limit) =>
      (await notices.find().sort(AGE_INDEX).limit(limit).lean()).map(({ _id, ...fields }) => ({
        id: _id,
        ...fields,
      })),
  };
}
