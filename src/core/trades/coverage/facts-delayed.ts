import type { EpochMs } from '../../base/time/duration.ts';

/** Trades of new wallets that wait for facts about them, longer than usual: their alerts are late. */
export interface FactsDelayed {
  /** Number of these trades. */
  readonly waiting: number;
  /** When the first of the missing facts was requested. */
  readonly since: EpochMs;
}
