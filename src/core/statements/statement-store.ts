import type { EpochMs } from '../trade.ts';

/** What an operator can state in public. `hide` replaces a wallet's address in posts and chat, `unhide` shows it again. */
export const STATEMENT_KINDS = ['annotate', 'hide', 'unhide', 'withdraw'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** One public statement of an operator. The ingesting process enters it in the log. */
export interface Statement {
  /** 1, 2, 3 … as written. */
  readonly number: number;
  readonly at: EpochMs;
  readonly kind: StatementKind;
  /** In lower case; null for `withdraw`. */
  readonly wallet: string | null;
  /** Of `withdraw`; null otherwise. */
  readonly alertId: number | null;
  /** Null only where none was given for `withdraw`. */
  readonly reason: string | null;
}

/** Statements of operators. It only grows. */
export interface StatementStore {
  append(statement: Omit<Statement, 'number'>): Promise<Statement>;
  /** Those with a larger number, ascending, at most `limit`. */
  after(number: number, limit: number): Promise<readonly Statement[]>;
  /** About a wallet, oldest first. */
  ofWallet(wallet: string): Promise<readonly Statement[]>;
  /** Wallets whose last `hide` or `unhide` is `hide`, ascending. */
  hiddenWallets(): Promise<readonly string[]>;
}
