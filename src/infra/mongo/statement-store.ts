import { type Connection, type Model, Schema } from 'mongoose';
import type { Statement, StatementKind, StatementStore } from '../../core/statements/statement-store.ts';
import { appendNumbered } from './append-numbered.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface StatementDocument extends Omit<Statement, 'number'> {
  /** `Statement.number`. */
  readonly _id: number;
}

const HIDING: readonly StatementKind[] = ['hide', 'unhide'];

const statementSchema = new Schema<StatementDocument>(
  { _id: Number, at: Number, kind: String, wallet: String, alertId: Number, reason: String },
  { ...SCHEMA_OPTIONS, collection: 'statements' },
);
statementSchema.index({ wallet: 1, _id: 1 });
statementSchema.index({ kind: 1, _id: 1, wallet: 1 });

export function createStatementModel(connection: Connection): Model<StatementDocument> {
  return connection.model<StatementDocument>('Statement', statementSchema);
}

/** Inserts and reads are all that is ever done to the collection. What is entered in the log must never be rolled back. */
export function createMongoStatementStore(statements: Model<StatementDocument>): StatementStore {
  return {
    async append({ at, kind, wallet, alertId, reason }) {
      const fields = { at, kind, wallet, alertId, reason };
      return { number: await appendNumbered(statements, fields), ...fields };
    },
    async after(number, limit) {
      const query = statements.find({ _id: { $gt: number } }).sort({ _id: 1 });
      return (await query.limit(limit).readConcern('majority').lean()).map(toStatement);
    },
    async ofWallet(wallet) {
      return (await statements.find({ wallet }).sort({ _id: 1 }).lean()).map(toStatement);
    },
    async hiddenWallets() {
      const found = await statements.aggregate<{ _id: string }>([
        { $match: { kind: { $in: HIDING } } },
        { $sort: { _id: 1 } },
        { $group: { _id: '$wallet', kind: { $last: '$kind' } } },
        { $match: { kind: 'hide' } },
        { $sort: { _id: 1 } },
      ]);
      return found.map(({ _id }) => _id);
    },
  };
}

function toStatement({ _id, ...fields }: StatementDocument): Statement {
  return { number: _id, ...fields };
}
