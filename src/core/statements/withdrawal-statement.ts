import type { StatementStore } from './statement-store.ts';

const PAGE_SIZE = 500;

/** Whether there is a withdrawal of the alert. Reads all statements: operators write few. */
export async function isWithdrawalStated(
  statements: Pick<StatementStore, 'after'>,
  alertId: number,
): Promise<boolean> {
  for (let number = 0; ; ) {
    const page = await statements.after(number, PAGE_SIZE);
    if (page.some((statement) => statement.kind === 'withdraw' && statement.alertId === alertId)) return true;
    if (page.length < PAGE_SIZE) return false;
    number = page.at(-1)?.number ?? number;
  }
}
