import { paged } from '../../base/async/paged.ts';
import type { EpochMs } from '../../base/time/duration.ts';

/** Kinds of public statements of operators. `hide` replaces a wallet's address in posts and chat, `unhide` shows it again. */
export const STATEMENT_KINDS = ['annotate', 'hide', 'unhide', 'withdraw'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** One public statement of an operator. The ingesting process records it in the log. */
export interface Statement {
  /** 1, 2, 3 … in the order of writing. */
  readonly number: number;
  readonly at: EpochMs;
  readonly kind: StatementKind;
  /** In lower case; null for `withdraw`. */
  readonly wallet: string | null;
  /** The alert of a `withdraw`; null otherwise. */
  readonly alertId: number | null;
  /** Null only for a `withdraw` without a reason. */
  readonly reason: string | null;
}

/** Statements of operators, append-only. */
export interface StatementStore {
  append(statement: Omit<Statement, 'number'>): Promise<Statement>;
  /** Statements with a larger number, ascending, at most `limit`. */
  after(number: number, limit: number): Promise<readonly Statement[]>;
  ofWallet(wallet: string): Promise<readonly Statement[]>;
  /** Wallets whose last `hide` or `unhide` is `hide`, ascending. */
  hiddenWallets(): Promise<readonly string[]>;
}

/**
 * Whether a wallet's address is hidden in posts and chat: the last `hide` or `unhide` of its statements, oldest first, is `hide`.
 * The API and the log still show it.
 */
export function isHidden(statements: readonly Pick<Statement, 'kind'>[]): boolean {
  return statements.findLast(({ kind }) => kind === 'hide' || kind === 'unhide')?.kind === 'hide';
}

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
