import type { LiveRow, OldestWaiting } from '../../source/source.ts';
import type { EpochMs } from '../../trade.ts';

/** A wallet with trades that wait. */
export interface WalletQueue {
  readonly wallet: string;
  trades: number;
  oldestAt: EpochMs;
  /** `overdue`: long in coming, so that others of the same outcome do not wait for them. */
  facts: 'not asked' | 'asked' | 'overdue' | 'settled';
  /** The questions fail, for most of a minute. */
  isFailing: boolean;
  /** The facts may never come. */
  isUnsettled: boolean;
  /** They may never come, and were waited for: nothing waits for them any more. */
  isBypassed: boolean;
  /** Its trades go on without facts. */
  isGivenUp: boolean;
  /** What goes before its next trade. */
  row: LiveRow | null;
}

/** A queue without trades, and without a question. */
export function createWalletQueue(wallet: string, oldestAt: EpochMs): WalletQueue {
  const flags = { isFailing: false, isUnsettled: false, isBypassed: false, isGivenUp: false };
  return { wallet, trades: 0, oldestAt, facts: 'not asked', ...flags, row: null };
}

/** The queue as the status of a feed names it. */
export function oldestWaiting(queue: WalletQueue): OldestWaiting {
  const { wallet, oldestAt: at, trades } = queue;
  return { wallet, at, trades, facts: factsOf(queue) };
}

function factsOf({ facts, isUnsettled, isFailing }: WalletQueue): OldestWaiting['facts'] {
  if (facts === 'settled' || facts === 'not asked') return 'settled';
  if (isUnsettled) return 'unsettled';
  return isFailing ? 'failing' : 'asked';
}
