import { type Connection, type Model, Schema } from 'mongoose';
import type { AuditEntry, AuditLog } from '../../core/operations/audit-log.ts';
import { appendNumbered } from './append-numbered.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface AuditDocument extends Omit<AuditEntry, 'seq'> {
  /** `AuditEntry.seq`. */
  readonly _id: number;
}

const auditSchema = new Schema<AuditDocument>(
  { _id: Number, at: Number, actor: String, command: String, args: String, outcome: String },
  { ...SCHEMA_OPTIONS, collection: 'audit' },
);

export function createAuditModel(connection: Connection): Model<AuditDocument> {
  return connection.model<AuditDocument>('Audit', auditSchema);
}

/** Inserts and reads are all that is ever done to the collection. */
export function createMongoAuditLog(audit: Model<AuditDocument>): AuditLog {
  return {
    async append(entry) {
      await appendNumbered(audit, entry);
    },
    list: async ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      (
        await audit
          .find({ _id: { $lt: before } })
          .sort({ _id: -1 })
          .limit(limit)
          .lean()
      ).map(({ _id, ...fields }) => ({ seq: _id, ...fields })),
  };
}
