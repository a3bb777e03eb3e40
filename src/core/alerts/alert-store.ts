import type { EpochMs } from '../base/time/duration.ts';
import type { AlertType } from '../detection/candidate.ts';
import type { Category, Side } from '../trades/trade.ts';
import type { Alert } from './alert.ts';
import type { ThreadSubject } from './ledger/thread.ts';
import type { MarketReport } from './market-report.ts';
import type { MarketSettlement } from './settlement.ts';
import type { WalletReport } from './wallet-report.ts';

/** A filter of the archive. Absent fields do not restrict; all present ones must match. */
export interface AlertFilter {
  readonly category?: Category;
  /** Any of these; an empty list matches nothing. */
  readonly categories?: readonly Category[];
  readonly side?: Side;
  readonly type?: AlertType;
  /** Strictly larger than this many USDC (contract: "only trades larger than"). */
  readonly minUsdc?: number;
  /** At least this many USDC are put in by the bet (`putInOf`), as of the alert. */
  readonly minPosition?: number;
  /** Score equal or higher, 0 to 100. */
  readonly minScore?: number;
  readonly isResolved?: boolean;
  /**
   * Only the newest alert of each thread, of those created until `until`: it states the bet. Counts are then of bets, and sums of
   * what they have put in.
   */
  readonly isPerBet?: boolean;
  /** All of its words, in any order and case, in the question or slug; or a wallet, alert or market that it names (`readSearch`). */
  readonly search?: string;
  /** The wallet that traded, in lower case; for a cluster, the one whose order triggered the alert. */
  readonly wallet?: string;
  /** The market's id, or its slug as the alert has it, in lower case. */
  readonly market?: string;
  readonly since?: EpochMs;
  readonly until?: EpochMs;
  /** The moment of the caller: results that were known later do not exist. Default: none is left out. */
  readonly asOf?: EpochMs;
  readonly afterId?: number;
  /** A smaller id, of 1 or more. */
  readonly beforeId?: number;
}

/** What a report includes. */
export interface ReportQuery {
  /** The moment of the caller: alerts created after it, and what was known of them later, do not exist. */
  readonly until?: EpochMs;
  /** The page contains the newest alerts with a smaller id, at most `limit`. */
  readonly beforeId?: number;
  readonly limit: number;
}

/** The part of the matches that a search returns. */
export interface PageQuery {
  /** Counts from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly isOldestFirst?: boolean;
  /** Ranks by this, highest first (ties: newest first), instead of newest first. */
  readonly highest?: RankedField;
}

/** What the matches of a search can be ranked by: the score, or what the bet has put in (`putInOf`). */
export type RankedField = 'score' | 'putInUsdc';

/** One page of a search, and the number of all matches. */
export interface AlertPage {
  readonly alerts: readonly Alert[];
  readonly total: number;
}

/** The alerts of one market in a window (contract, Hot market item); with `isPerBet` its bets. */
export interface HotMarket {
  readonly marketId: string;
  readonly eventTitle: string;
  readonly eventSlug: string;
  readonly marketEvent: string | null;
  readonly category: Category;
  readonly alertCount: number;
  readonly avgScore: number;
  readonly totalUsdc: number;
  readonly latestAlertAt: EpochMs;
  readonly newestId: number;
}

/** The three leaderboards of the contract, each descending by its own metric. */
export interface HotMarkets {
  readonly mostAlerts: readonly HotMarket[];
  readonly highestSignal: readonly HotMarket[];
  readonly biggestTrades: readonly HotMarket[];
}

/** Totals of the ledger and of one day (contract, Stats). */
export interface AlertStats {
  readonly totalAlerts: number;
  readonly alertsToday: number;
  /** 0 without alerts today. */
  readonly avgScoreToday: number;
  readonly clustersToday: number;
  /** Alerts whose market is settled, and how many of them were right. */
  readonly totalResolved: number;
  readonly totalWon: number;
}

/** The matches of a filter in a window, and their outcomes: alerts, or with `isPerBet` bets. */
export interface AlertPreview {
  readonly total: number;
  /** Every UTC day of the window, oldest first, including days without an alert. */
  readonly daily: readonly { readonly dayStart: EpochMs; readonly alerts: number }[];
  /** Resolved matches, how many of them were right, and the sum of their entries (`entryOf`; of bets: their mean prices), to 6 decimals. */
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
  /** The same with each market counted once: sums of the means per market (`RecordEntry.perMarket`). */
  readonly markets: { readonly resolved: number; readonly won: number; readonly entrySum: number };
  /** Newest first. */
  readonly newest: readonly Alert[];
}

/**
 * The alerts of a market that match a filter: how many there are, the sum of their orders, how many were right, and the newest.
 * With `isPerBet` its bets, and the sum of what they have put in.
 */
export interface MarketMatches {
  readonly marketId: string;
  readonly total: number;
  readonly usdc: number;
  readonly won: number;
  readonly newest: number;
}

/** A page of markets that have alerts without an outcome. */
export interface UnresolvedMarkets {
  readonly marketIds: readonly string[];
  readonly lastId: number | null;
}

/** The parts of an address that are left of it in print (`0x872c…41f0`), in lower case; the beginning with `0x`. */
export interface AddressEnds {
  readonly start: string;
  readonly end: string;
}

interface NamedBound {
  readonly until?: EpochMs;
  readonly limit: number;
}

/**
 * Alerts, which are their entries in the log, as they are known now or to a caller at a moment: with the results, withdrawals and events
 * of markets that were known then. Each method brings the alert index up to date (`AlertIndex.upToDate`), and throws what the stores
 * throw.
 */
export interface AlertStore {
  last(): Promise<Alert | null>;
  /** Also one that another process has just entered. */
  byId(id: number): Promise<Alert | null>;
  /** In the order of the ids. */
  some(ids: readonly number[]): Promise<readonly Alert[]>;
  /** Alerts of a market with a larger id, oldest first, at most `limit`. */
  ofMarket(marketId: string, limit: number, afterId?: number): Promise<readonly Alert[]>;
  /** Alerts with a larger id, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<readonly Alert[]>;
  /** Newest first, `createdAt` at or before `until`, at most `limit`. */
  latest(query: { limit: number; until?: EpochMs }): Promise<readonly Alert[]>;
  /** The ids of all alerts of a thread, ascending. */
  thread(subject: ThreadSubject): Promise<readonly number[]>;
  /** The newest alert of the thread of each, of those created until then, as it was known then: it states the bet. */
  newestOfThreads(alerts: readonly Alert[], until: EpochMs): Promise<readonly Alert[]>;
  /** The markets with alerts of which the event is unknown. */
  marketsWithoutEvent(): Promise<readonly string[]>;
  /**
   * The markets of the next `limit` unresolved alerts after the id, ordered by their oldest such alert, without duplicates in a page.
   * `lastId`: the `afterId` of the next page; null for the last page.
   */
  unresolvedMarkets(page: { afterId: number; limit: number }): Promise<UnresolvedMarkets>;
  /** An alert as it is known to a caller at a moment; null where it does not exist for them. */
  visible(id: number, until: EpochMs): Promise<Alert | null>;
  search(filter: AlertFilter, page: PageQuery): Promise<AlertPage>;
  /** The markets of the matches. Each list is sorted by its own metric, descending; ties by market id. */
  hotMarkets(filter: AlertFilter, limit: number): Promise<HotMarkets>;
  /** `dayStart`: the UTC midnight that starts "today". Nothing that was known after `until` exists. */
  stats(query: { dayStart: EpochMs; until?: EpochMs }): Promise<AlertStats>;
  /** Sums up the matches of a filter; `since` after `until` is an empty window. `newest`: number of newest matches to return. */
  preview(
    filter: AlertFilter & { readonly since: EpochMs; readonly until: EpochMs },
    options: { newest: number },
  ): Promise<AlertPreview>;
  /** The given alerts that the filter matches, and the given markets with an alert that it matches; both in any order. */
  matching(
    filter: AlertFilter,
    among: { readonly ids: readonly number[]; readonly marketIds: readonly string[] },
  ): Promise<{ readonly ids: readonly number[]; readonly markets: readonly MarketMatches[] }>;
  /** Everything known about a wallet (lower case); null if no alert names it. */
  walletReport(wallet: string, query: ReportQuery): Promise<WalletReport | null>;
  /** Everything known about a market; null if it has no alert. */
  marketReport(marketId: string, query: ReportQuery): Promise<MarketReport | null>;
  /** The settled markets with alerts, as of a moment: the last settled first, at most `limit`. */
  settledMarkets(asOf: EpochMs, limit: number): Promise<readonly MarketSettlement[]>;
  /** Those of these markets that were settled at a moment. */
  settlementsOf(marketIds: readonly string[], asOf: EpochMs): Promise<readonly MarketSettlement[]>;
  /**
   * The market with this slug or id, ignoring case, if it has alerts created until then; if there are several, the one with the newest
   * alert. Null if there is none.
   */
  marketOfSlug(slug: string, bound: { readonly until?: EpochMs }): Promise<string | null>;
  /** The markets of an event that have alerts created until then. Those with the newest alerts come first, at most `limit`. */
  marketsOfEvent(event: string, bound: NamedBound): Promise<readonly string[]>;
  /**
   * The markets with alerts created until then that a text names, ignoring case: their question or slug equals the text or, if
   * none does, contains its words. Those with the newest alerts come first, at most `limit`.
   */
  marketsNamed(text: string, bound: NamedBound): Promise<readonly string[]>;
  /**
   * The wallets whose addresses begin and end this way (lower case) and that an alert created until then names, as its wallet or
   * a member of its cluster: ascending, at most `limit`.
   */
  walletsNamed(ends: AddressEnds, bound: NamedBound): Promise<readonly string[]>;
}
