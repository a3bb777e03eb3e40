import type { EpochMs } from '../trade.ts';

/** Where the age of a wallet was read (detection.md, wallet age). */
export const AGE_SOURCES = ['join_date', 'profile', 'activity', 'trades'] as const;
export type AgeSource = (typeof AGE_SOURCES)[number];

/** When a wallet began, verified. It does not change any more. */
export interface WalletAge {
  /** In lower case. */
  readonly wallet: string;
  readonly createdAt: EpochMs;
  readonly source: AgeSource;
}

/** Ages of wallets, kept for ever. */
export interface WalletAgeStore {
  get(wallet: string): Promise<WalletAge | null>;
  /** Inserts; an age that is there stays. */
  put(age: WalletAge): Promise<void>;
}
