import type { EpochMs } from '../../base/time/duration.ts';

/** Where the age of a wallet was read (detection.md, wallet age). */
export const AGE_SOURCES = ['join_date', 'profile', 'activity', 'trades'] as const;
export type AgeSource = (typeof AGE_SOURCES)[number];

/** Verified creation time of a wallet. It never changes. */
export interface WalletAge {
  /** In lower case. */
  readonly wallet: string;
  readonly createdAt: EpochMs;
  readonly source: AgeSource;
}

/** Ages of wallets, stored permanently. */
export interface WalletAgeStore {
  get(wallet: string): Promise<WalletAge | null>;
  /** Inserts; an existing age is not replaced. */
  put(age: WalletAge): Promise<void>;
}
