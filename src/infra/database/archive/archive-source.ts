import type { Alert } from '../../../core/alerts/alert.ts';
import type { SettlementStore } from '../../../core/alerts/settlement.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { AlertType } from '../../../core/detection/candidate.ts';
import type { Category, Side } from '../../../core/trades/trade.ts';

export type Awaitable<T> = T | Promise<T>;

/** Alerts with `after < id <= upto`. A bound in time becomes one in ids, as `createdAt` never decreases with the id. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
}

/** The key of a listing in its database: a market under one question and slug. */
export type ListingKey = number | string;

export interface Listing {
  readonly key: ListingKey;
  readonly marketId: string;
  /** In lower case. */
  readonly title: string;
  readonly slug: string;
}

/** What filters and figures use of an alert. */
export interface ArchiveRow {
  readonly id: number;
  readonly listing: ListingKey;
  readonly category: Category;
  readonly side: Side;
  readonly type: AlertType;
  readonly score: number;
  readonly usdc: number;
  /** `entryOf`. */
  readonly entry: number;
  /** Null while the market is not settled. */
  readonly won: boolean | null;
}

/** What the archive reads from a database. Nothing that it returns may be rolled back later. */
export interface ArchiveSource {
  /** 0 when there is none. */
  lastId(): Awaitable<number>;
  /** The last alert created before the moment, 0 when there is none. */
  lastIdBefore(at: EpochMs): Awaitable<number>;
  /** Useful number of concurrent calls of `rows`. */
  readonly concurrency: number;
  /** All alerts of the range, ascending. */
  rows(range: IdRange): Awaitable<readonly ArchiveRow[]>;
  /** In any order. */
  listings(keys: readonly ListingKey[]): Awaitable<readonly Listing[]>;
  /** The resolved alerts of these listings, in any order. */
  outcomes(keys: readonly ListingKey[]): Awaitable<readonly { readonly id: number; readonly won: boolean }[]>;
  /** Ids of a wallet's alerts, ascending. */
  ofWallet(wallet: string): Awaitable<readonly number[]>;
  /** Ids of a market's alerts, ascending. */
  ofMarket(marketId: string): Awaitable<readonly number[]>;
  /** The clusters of the range and their members, in any order. */
  members(range: IdRange): Awaitable<readonly { readonly id: number; readonly wallets: readonly string[] }[]>;
  /** In any order. */
  load(ids: readonly number[]): Awaitable<Alert[]>;
  readonly resolutions: Pick<SettlementStore, 'get' | 'after' | 'lastSeq' | 'totals'>;
}
