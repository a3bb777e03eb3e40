import type { EpochMs } from '../../base/time/duration.ts';
import type { LiveRow } from './source.ts';

/** `unsettled`: the market does not know the wallet's age (yet); the request should be repeated. */
export type WalletFactsAnswer =
  | { readonly kind: 'settled'; readonly row: LiveRow }
  | { readonly kind: 'unsettled'; readonly reason: string };

/** Loads facts of wallets. */
export interface WalletFactsSource {
  /**
   * Age of the wallet and the number of distinct markets it traded before the moment, as the row of a tape. Rejects when the
   * request fails or the answer is invalid; a failure is not cached.
   */
  ask(wallet: string, before: EpochMs, signal: AbortSignal): Promise<WalletFactsAnswer>;
}

/** Loads descriptions of markets. */
export interface MarketSource {
  /** The rows of the known markets among these condition ids (any number), in any order. Rejects when the request fails. */
  describe(marketIds: readonly string[], signal: AbortSignal): Promise<readonly LiveRow[]>;
}
