import type { EpochMs } from '../../base/time/duration.ts';
import type { LiveRow, OldestWaiting } from '../../trades/source/source.ts';

/** The pending trades of one wallet. */
export class WalletQueue {
  readonly wallet: string;
  trades = 0;
  oldestAt: EpochMs;
  /** `overdue`: they take long, so that others of the same outcome do not wait for them. */
  facts: 'not asked' | 'asked' | 'overdue' | 'settled' = 'not asked';
  /** When the facts were requested first, by the clock; null before. */
  askedAt: EpochMs | null = null;
  /** Whether the last request was answered, if only without an age. */
  hasAnswer = false;
  /** The requests have failed for most of a minute. */
  isFailing = false;
  /** The facts may never come. */
  isUnsettled = false;
  /** They may never come and were waited for: nothing waits for them any more. */
  isBypassed = false;
  /** Its trades continue without facts. */
  isGivenUp = false;
  /** The wallet's row, which precedes its next trade. */
  row: LiveRow | null = null;

  constructor(wallet: string, oldestAt: EpochMs) {
    this.wallet = wallet;
    this.oldestAt = oldestAt;
  }

  /** As the status of a feed shows it. */
  get status(): OldestWaiting {
    const { wallet, oldestAt: at, trades } = this;
    return { wallet, at, trades, facts: this.#factsStatus() };
  }

  #factsStatus(): OldestWaiting['facts'] {
    if (this.facts === 'settled' || this.facts === 'not asked') return 'settled';
    if (this.isUnsettled) return 'unsettled';
    return this.isFailing ? 'failing' : 'asked';
  }
}
