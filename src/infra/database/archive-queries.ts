import type { Alert, AlertType } from '../../core/alerts/alert.ts';
import type { Category } from '../../core/category.ts';
import type { EpochMs, Side } from '../../core/trade.ts';

export type Awaitable<T> = T | Promise<T>;

/** Alerts with `after < id <= upto`. A bound in time becomes one in ids, as `createdAt` never decreases with the id. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
}

/** What a text search matches: the alerts of a wallet, or those published under one of these listings. */
export interface TextMatch<Listing> {
  readonly wallet: string | null;
  readonly listings: readonly Listing[];
  /** The share of all listings that these are, 0 to 1. */
  readonly share: number;
}

/** The conditions of a filter, without its time range. */
export interface Criteria<Listing> {
  /** Matches any of these. */
  readonly categories?: readonly Category[];
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

/** Matches summed up; `won` and `entrySum` are of the resolved ones. */
export interface MatchCounts {
  readonly count: number;
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

/** The resolved alerts of one market. */
export interface MarketOutcome extends Omit<MatchCounts, 'count'> {
  readonly marketId: string;
}

/** The queries that the archive makes of a database. Ids come newest first. */
export interface ArchiveQueries<Listing> {
  /** 0 when there is none. */
  lastId(): Awaitable<number>;
  /** The last alert created before the moment, 0 when there is none. */
  lastIdBefore(at: EpochMs): Awaitable<number>;
  /** `text` is in lower case. */
  matchText(text: string): Awaitable<TextMatch<Listing>>;
  /** How many match within each of the range's blocks (`blocksOf`), oldest first. */
  counts(criteria: Criteria<Listing>, range: IdRange, blockSize: number): Awaitable<number[]>;
  ids(
    criteria: Criteria<Listing>,
    range: IdRange,
    page: { skip: number; limit: number },
  ): Awaitable<number[]>;
  /** One result per range. */
  matchCounts(criteria: Criteria<Listing>, ranges: readonly IdRange[]): Awaitable<MatchCounts[]>;
  /** By market or listing, in any order; only what is resolved. */
  outcomes(criteria: Criteria<Listing>, range: IdRange): Awaitable<MarketOutcome[]>;
  /** In any order. */
  load(ids: readonly number[]): Awaitable<Alert[]>;
  groups(range: IdRange, category: Category | undefined): Awaitable<MarketGroup[]>;
  summary(range: IdRange): Awaitable<{ scoreSum: number; clusters: number }>;
  resolutionTotals(): Awaitable<{ resolved: number; won: number }>;
}

/** A range cut where the id is a multiple of the size, oldest first. */
export function blocksOf({ after, upto }: IdRange, size: number): IdRange[] {
  const blocks: IdRange[] = [];
  for (let from = after; from < upto; ) {
    const end = Math.min(upto, from + size - (from % size));
    blocks.push({ after: from, upto: end });
    from = end;
  }
  return blocks;
}
