import type { LiveRow } from './source.ts';

/** Asks the market about markets. */
export interface MarketSource {
  /** The rows of those it knows of these condition ids (any number), in any order. Rejects when it did not answer. */
  describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]>;
}
