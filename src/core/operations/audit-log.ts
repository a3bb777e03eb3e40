import type { EpochMs } from '../trade.ts';

/** One act of an operator, or an attempt at one. Nothing secret. */
export interface AuditEntry {
  /** 1, 2, 3 … as written. */
  readonly seq: number;
  readonly at: EpochMs;
  /** For example `telegram:123`. */
  readonly actor: string;
  readonly command: string;
  /** What it was given, for example `cus_… 30`; keys are shortened to their lookup part. */
  readonly args: string;
  /** What came of it, in a sentence. */
  readonly outcome: string;
}

/** What operators did. It only grows: there is no way to change or remove an entry. */
export interface AuditLog {
  append(entry: Omit<AuditEntry, 'seq'>): Promise<void>;
  /** Newest first, below `before` when it is given. */
  list(query: { readonly limit: number; readonly before?: number }): Promise<readonly AuditEntry[]>;
}
