import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import type { EpochMs } from '../../core/trade.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

interface JournalDocument {
  /** Position of the first row. */
  readonly _id: number;
  readonly next: number;
  readonly acceptedAt: EpochMs;
  readonly lines: mongo.Binary;
}

const journalSchema = new Schema<JournalDocument>(
  { _id: Number, next: Number, acceptedAt: Number, lines: Buffer },
  { ...SCHEMA_OPTIONS, collection: 'journal' },
);

export function createJournalModel(connection: Connection): Model<JournalDocument> {
  return connection.model<JournalDocument>('Journal', journalSchema);
}
