import type { Lease } from '../lease/lease-store.ts';
import type { EpochMs } from '../trade.ts';
import type { ObservedHour, ObservedMarket } from './observed-market.ts';

/** Contents of one write: at most a few hundred of each. */
export interface ObservationBatch {
  readonly markets: readonly ObservedMarket[];
  readonly hours: readonly ObservedHour[];
}

/** What the market did around each alert. Kept permanently. */
export interface ObservationStore {
  /** Inserts or replaces markets and hours. False, and nothing written, when the lease's epoch is no longer current. */
  write(lease: Lease, batch: ObservationBatch): Promise<boolean>;
  market(marketId: string): Promise<ObservedMarket | null>;
  /** Markets with `isOpen`, ascending by id after `after`, at most `limit`. */
  open(query: { readonly after?: string; readonly limit: number }): Promise<readonly ObservedMarket[]>;
  /** Hours of a market from `from` on and before `until`, ascending, at most `limit`. */
  hours(
    marketId: string,
    range: { readonly from: EpochMs; readonly until: EpochMs; readonly limit: number },
  ): Promise<readonly ObservedHour[]>;
}
