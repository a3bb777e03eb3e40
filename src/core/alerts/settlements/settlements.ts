import type { AlertIndex } from '../alert-index/alert-index.ts';
import type { MarketSettlement } from '../settlement.ts';

/** The settlements of all markets. Each method brings the index up to date, and throws what the store throws. */
export interface Settlements {
  /** The last one of a market; null without one. */
  ofMarket(marketId: string): Promise<MarketSettlement | null>;
  /** Those whose entries have a larger sequence number, ascending, at most `limit`. */
  after(seq: number, limit: number): Promise<readonly MarketSettlement[]>;
  /** The sequence number of the newest; 0 without one. */
  last(): Promise<number>;
}

/** The settlements that the index has. */
export function settlementsIn(index: AlertIndex): Settlements {
  const { settlements } = index;
  return {
    async ofMarket(marketId) {
      await index.upToDate();
      return settlements.market(marketId)?.settlements.at(-1) ?? null;
    },
    async after(seq, limit) {
      await index.upToDate();
      const first = settlements.upTo(seq);
      return settlements.all.slice(first, first + limit);
    },
    async last() {
      await index.upToDate();
      return settlements.seq;
    },
  };
}
