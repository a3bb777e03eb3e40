import { paged } from '../../base/async/paged.ts';
import type { Statement, StatementStore } from './statement-store.ts';

const PAGE_SIZE = 500;

/** The first withdrawal of the alert; null without one. Reads all statements: operators write few. */
export async function withdrawalOf(
  statements: Pick<StatementStore, 'after'>,
  alertId: number,
): Promise<Statement | null> {
  const after = (last?: Statement) => statements.after(last?.number ?? 0, PAGE_SIZE);
  for await (const statement of paged(after, PAGE_SIZE))
    if (statement.kind === 'withdraw' && statement.alertId === alertId) return statement;
  return null;
}

/** Whether there is a withdrawal of the alert. */
export async function isWithdrawalStated(
  statements: Pick<StatementStore, 'after'>,
  alertId: number,
): Promise<boolean> {
  return (await withdrawalOf(statements, alertId)) !== null;
}
