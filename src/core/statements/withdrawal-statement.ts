import type { Statement, StatementStore } from './statement-store.ts';

const PAGE_SIZE = 500;

/** The first withdrawal of the alert; null without one. Reads all statements: operators write few. */
export async function withdrawalOf(
  statements: Pick<StatementStore, 'after'>,
  alertId: number,
): Promise<Statement | null> {
  for (let number = 0; ; ) {
    const page = await statements.after(number, PAGE_SIZE);
    const found = page.find((statement) => statement.kind === 'withdraw' && statement.alertId === alertId);
    if (found !== undefined) return found;
    if (page.length < PAGE_SIZE) return null;
    number = page.at(-1)?.number ?? number;
  }
}

/** Whether there is a withdrawal of the alert. */
export async function isWithdrawalStated(
  statements: Pick<StatementStore, 'after'>,
  alertId: number,
): Promise<boolean> {
  return (await withdrawalOf(statements, alertId)) !== null;
}
