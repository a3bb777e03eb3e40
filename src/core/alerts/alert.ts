import type { EpochMs } from '../base/time/duration.ts';
import type { Candidate } from '../detection/candidate.ts';
import type { LogHead } from './log/log-entry.ts';

/** The result of an alert after its market was settled. */
export interface Resolution {
  /** What a share of the alert's outcome paid: 1, 0, or 0.5 for a market split in the middle. */
  readonly payout: number;
  readonly won: boolean;
  readonly profitUsdc: number;
}

/** An operator withdrew the alert: its posts are deleted, and it is marked wherever it is shown. It counts in every figure. */
export interface WithdrawalMark {
  readonly at: EpochMs;
  /** Public; null without one. */
  readonly reason: string | null;
}

/**
 * A numbered alert. After it was written, only `resolution` and `withdrawn` change, and `marketEvent` if it was unknown.
 */
export interface Alert extends Candidate {
  /** 1, 2, 3 … without gaps. */
  readonly id: number;
  /** The source's clock when the order was detected, and when the alert was written. */
  readonly detectedAt: EpochMs;
  readonly publishedAt: EpochMs;
  /** Never decreases with the id; the free delay and every window count from it. */
  readonly createdAt: EpochMs;
  /** From before the start of the run: in the archive only, never streamed, posted or delivered. */
  readonly isHistory: boolean;
  /** Id of the first alert of its thread. A thread is one wallet on one outcome of a market, or all clusters on that outcome. */
  readonly threadId: number;
  /** The previous alert of its thread; null for the first. */
  readonly supersedes: number | null;
  readonly resolution: Resolution | null;
  /** Null unless an operator withdrew it. */
  readonly withdrawn: WithdrawalMark | null;
  /** Its entry in the log; `EMPTY_LOG` until it is written, and on invented alerts. */
  readonly log: LogHead;
}

/** The wallet that traded and, for a cluster, its members. */
export function namedWallets({ wallet, details }: Pick<Alert, 'wallet' | 'details'>): readonly string[] {
  return [wallet, ...(details.wallets ?? [])];
}
