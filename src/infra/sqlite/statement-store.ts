import type { DatabaseSync } from 'node:sqlite';
import type { Statement, StatementStore } from '../../core/statements/statement-store.ts';
import { prepareQuery } from './connection.ts';

const COLUMNS = 'number, at, kind, wallet, alert_id AS alertId, reason';

/** Triggers of the schema refuse every change and removal. */
export function createSqliteStatementStore(db: DatabaseSync): StatementStore {
  const insert = prepareQuery<{ number: number }>(
    db,
    `INSERT INTO statements (number, at, kind, wallet, alert_id, reason)
     VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM statements), ?, ?, ?, ?, ?) RETURNING number`,
  );
  const select = (rest: string) => prepareQuery<Statement>(db, `SELECT ${COLUMNS} FROM statements ${rest}`);
  const after = select('WHERE number > ? ORDER BY number LIMIT ?');
  const ofWallet = select('WHERE wallet = ? ORDER BY number');
  // `kind` is that of the row with the largest number: SQLite takes it from there.
  const hidden = prepareQuery<{ wallet: string }>(
    db,
    `SELECT wallet FROM (
       SELECT wallet, kind, MAX(number) FROM statements WHERE kind IN ('hide', 'unhide') GROUP BY wallet
     ) WHERE kind = 'hide' ORDER BY wallet`,
  );
  return {
    async append({ at, kind, wallet, alertId, reason }) {
      const row = insert.get(at, kind, wallet, alertId, reason);
      if (row === undefined) throw new Error('SQLite returned no number for a statement.');
      return { number: row.number, at, kind, wallet, alertId, reason };
    },
    after: async (number, limit) => after.all(number, limit).map((row) => ({ ...row })),
    ofWallet: async (wallet) => ofWallet.all(wallet).map((row) => ({ ...row })),
    hiddenWallets: async () => hidden.all().map(({ wallet }) => wallet),
  };
}
