import type { Alert, AlertType } from '../../core/alert.ts';
import type { Category } from '../../core/category.ts';
import type { EpochMs, Side } from '../../core/trade.ts';

type Awaitable<T> = T | Promise<T>;

/** Alerts with `after < id <= upto`. A bound in time becomes one in ids, as `createdAt` never decreases with the id. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
}

/** What a searched text means: a wallet's alerts, or those published under one of these listings. */
export interface TextMatch<Listing> {
  readonly wallet: string | null;
  readonly listings: readonly Listing[];
  /** Whether the listings are few enough to start from them instead of walking the alerts. */
  readonly isRare: boolean;
}

/** What an alert must have, its time aside. */
export interface Criteria<Listing> {
  readonly category?: Category;
  readonly side?: Side;
  readonly type?: AlertType;
  readonly minUsdc?: number;
  readonly minScore?: number;
  readonly isResolved?: boolean;
  readonly text?: TextMatch<Listing>;
}

/** The alerts of one market in a window, summed up. */
export interface MarketGroup {
  readonly marketId: string;
  readonly alertCount: number;
  readonly scoreSum: number;
  readonly usdcSum: number;
  readonly latestId: number;
}

/** What a database has to answer so that the archive can be searched. Ids come newest first. */
export interface ArchiveQueries<Listing> {
  /** 0 when there is none. */
  lastId(): Awaitable<number>;
  /** The last alert created before the moment, 0 when there is none. */
  lastIdBefore(at: EpochMs): Awaitable<number>;
  /** `text` is in lower case. */
  matchText(text: string): Awaitable<TextMatch<Listing>>;
  count(criteria: Criteria<Listing>, range: IdRange): Awaitable<number>;
  ids(
    criteria: Criteria<Listing>,
    range: IdRange,
    page: { skip: number; limit: number },
  ): Awaitable<number[]>;
  /** In any order. */
  load(ids: readonly number[]): Awaitable<Alert[]>;
  groups(range: IdRange, category: Category | undefined): Awaitable<MarketGroup[]>;
  summary(range: IdRange): Awaitable<{ scoreSum: number; clusters: number }>;
  resolutionTotals(): Awaitable<{ resolved: number; won: number }>;
}
