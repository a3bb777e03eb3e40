import type { LiveRow } from './source.ts';

/** Loads descriptions of markets. */
export interface MarketSource {
  /** The rows of the known markets among these condition ids (any number), in any order. Rejects when the request fails. */
  describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]>;
}
