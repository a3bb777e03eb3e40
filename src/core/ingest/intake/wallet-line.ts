import type { LiveRow, OldestWaiting } from '../../ports/source.ts';
import type { EpochMs } from '../../trade.ts';

/** A wallet with trades that wait. */
export interface WalletLine {
  readonly wallet: string;
  trades: number;
  oldestAt: EpochMs;
  /** `doubtful`: long in coming, so that others of the same outcome do not wait for them. */
  facts: 'not asked' | 'asked' | 'doubtful' | 'settled';
  /** The questions fail, for most of a minute. */
  isFailing: boolean;
  /** The facts may never come. */
  isUnsettled: boolean;
  /** They may never come, and were waited for: nothing waits for them any more. */
  isHopeless: boolean;
  /** Its trades go on without facts. */
  isGivenUp: boolean;
  /** What goes before its next trade. */
  row: LiveRow | null;
}

/** A line without trades, and without a question. */
export function newLine(wallet: string, oldestAt: EpochMs): WalletLine {
  const doubts = { isFailing: false, isUnsettled: false, isHopeless: false, isGivenUp: false };
  return { wallet, trades: 0, oldestAt, facts: 'not asked', ...doubts, row: null };
}

/** The line as the status of a feed names it. */
export function oldestWaiting(line: WalletLine): OldestWaiting {
  const { wallet, oldestAt: at, trades } = line;
  return { wallet, at, trades, facts: factsOf(line) };
}

function factsOf({ facts, isUnsettled, isFailing }: WalletLine): OldestWaiting['facts'] {
  if (facts === 'settled' || facts === 'not asked') return 'settled';
  if (isUnsettled) return 'unsettled';
  return isFailing ? 'failing' : 'asked';
}
