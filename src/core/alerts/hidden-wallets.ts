import type { EpochMs } from '../base/time/duration.ts';

/**
 * A wallet whose address pages, posts and chat replace by “a hidden wallet”. REST, frames, webhooks and the log state it. Its
 * alerts stay and are counted.
 */
export interface HiddenWallet {
  /** In lower case. */
  readonly wallet: string;
  /** For the operator; null without one. */
  readonly reason: string | null;
  readonly at: EpochMs;
}

/** The wallets that operators have hidden: few. */
export interface HiddenWalletStore {
  /** Hides a wallet, and returns its row: the earlier one where it was hidden already. */
  add(row: HiddenWallet): Promise<HiddenWallet>;
  /** Shows a wallet again; false where it was not hidden. */
  remove(wallet: string): Promise<boolean>;
  /** By address, ascending. */
  list(): Promise<readonly HiddenWallet[]>;
}

/** The addresses of the hidden wallets. */
export async function hiddenAddresses(store: Pick<HiddenWalletStore, 'list'>): Promise<ReadonlySet<string>> {
  return new Set((await store.list()).map(({ wallet }) => wallet));
}
