import type {
  Statement,
  StatementKind,
  StatementStore,
} from '../../../core/alerts/statements/statement-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const HIDING = { kind: { in: ['hide', 'unhide'] satisfies StatementKind[] } } as const;

export const STATEMENTS: Declaration<Statement> = {
  name: 'statements',
  fields: {
    number: 'integer',
    at: 'integer',
    kind: 'text',
    wallet: 'text?',
    alertId: 'integer?',
    reason: 'text?',
  },
  key: ['number'],
  isAppendOnly: true,
  indexes: {
    statements_by_wallet: { fields: ['wallet', 'number'] },
    statements_of_hiding: { fields: ['kind', 'number', 'wallet'] },
  },
};

/** Inserts and reads only. */
export function createStatementStore(open: OpenCollection): StatementStore {
  const statements = open(STATEMENTS);
  return {
    append: async ({ at, kind, wallet, alertId, reason }) => {
      const fields = { at, kind, wallet, alertId, reason };
      return { number: await statements.append(fields), ...fields };
    },
    // What is entered in the log must never be rolled back.
    after: (number, limit) =>
      statements.find({ where: { number: { gt: number } }, sort: ['number'], limit, isCommitted: true }),
    ofWallet: (wallet) => statements.find({ where: { wallet }, sort: ['number'] }),
    async hiddenWallets() {
      const last = new Map<string | null, Pick<Statement, 'number' | 'kind' | 'wallet'>>();
      for (const each of await statements.pick(['number', 'kind', 'wallet'], { where: HIDING })) {
        if (each.number > (last.get(each.wallet)?.number ?? 0)) last.set(each.wallet, each);
      }
      const hidden = [...last.values()].filter(({ kind }) => kind === 'hide');
      return hidden.flatMap(({ wallet }) => wallet ?? []).toSorted();
    },
  };
}
