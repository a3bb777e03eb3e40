import type { Tier } from '../accounts/tier.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** An operator's action, or an attempt at one. Contains no secrets. */
export interface AuditEntry {
  /** 1, 2, 3 … in the order of writing. */
  readonly seq: number;
  readonly at: EpochMs;
  /** For example `telegram:123`. */
  readonly actor: string;
  readonly command: string;
  /** Arguments, for example `cus_… 30`; keys are cut to their lookup part. */
  readonly args: string;
  readonly outcome: string;
}

/** Append-only log of operator actions. */
export interface AuditLog {
  append(entry: Omit<AuditEntry, 'seq'>): Promise<void>;
  /** Newest first, below `before` when it is given. */
  list(query: { readonly limit: number; readonly before?: number }): Promise<readonly AuditEntry[]>;
}

/** Sums over all data, for the operator; not cached. */
export interface OperatorReads {
  keysByTier(now: EpochMs): Promise<Readonly<Record<Tier, number>>>;
  callsOn(day: string): Promise<number>;
}
