import type { EpochMs } from '../trade.ts';
import type { LiveRow } from './source.ts';

/** `unsettled`: the market knows no age of the wallet (yet); it is to be asked again. */
export type WalletFactsAnswer =
  | { readonly kind: 'settled'; readonly row: LiveRow }
  | { readonly kind: 'unsettled'; readonly reason: string };

/** Asks the market about wallets. */
export interface WalletFactsSource {
  /**
   * Age of the wallet, and the distinct markets it traded before the moment, as the row of a tape. Rejects when the market
   * did not answer or could not be understood; that is no answer, and is not remembered.
   */
  ask(wallet: string, before: EpochMs, signal: AbortSignal): Promise<WalletFactsAnswer>;
}
