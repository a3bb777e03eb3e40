import type { EpochMs } from '../base/time/duration.ts';
import type { LogHead } from './log/log-entry.ts';

/** The applied outcome of a market. A correction replaces it. */
export interface MarketResolution {
  readonly marketId: string;
  /** Number of the change, so that other processes can read those after n. */
  readonly seq: number;
  /** Names of the outcomes, in the order of the payouts; empty if the market never named them. */
  readonly outcomes: readonly string[];
  readonly payouts: readonly number[];
  /** Alerts of the market that are resolved, and won. */
  readonly resolved: number;
  readonly won: number;
  /**
   * Its last entry in the log (`outcome` or `correction`), absent while it has none, and when it was settled. The entry has at
   * least the time of the entry before it.
   */
  readonly log?: LogHead & { readonly at: EpochMs };
}

/** The outcomes of markets, and the totals of the published record. */
export interface ResolutionStore {
  /** Inserts or replaces the market's row. Throws when its `seq` is another market's, or below that of the market's row. */
  put(resolution: MarketResolution): Promise<void>;
  get(marketId: string): Promise<MarketResolution | null>;
  /** Rows with a larger `seq`, ascending, at most `limit`. */
  after(seq: number, limit: number): Promise<readonly MarketResolution[]>;
  /** The largest `seq`, 0 when there is none. */
  lastSeq(): Promise<number>;
  totals(): Promise<{ resolved: number; won: number }>;
}
