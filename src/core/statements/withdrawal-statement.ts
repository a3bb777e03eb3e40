import type { StatementStore } from './statement-store.ts';

const PAGE_SIZE = 500;

/** Whether an operator's withdrawal of an alert is among the statements. Reads all of them: they are typed by hand. */
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
