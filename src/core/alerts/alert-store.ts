import type { Category } from '../category.ts';
import type { LogHead } from '../log/log-entry.ts';
import type { EpochMs, Side } from '../trade.ts';
import type { Alert, AlertType, Resolution } from './alert.ts';

/** What to look for in the archive. Absent fields do not restrict; all present ones must hold. */
export interface AlertFilter {
  /** Any of these; an empty list matches nothing. */
  readonly categories?: readonly Category[];
  readonly side?: Side;
  readonly type?: AlertType;
  /** Strictly larger than this many USDC (contract: "only trades larger than"). */
  readonly minUsdc?: number;
  /** Score equal or higher, 0 to 100. */
  readonly minScore?: number;
  readonly isResolved?: boolean;
  /** Case-insensitive part of the question or slug, or an exact wallet address. */
  readonly search?: string;
  /** `createdAt` at or after. */
  readonly since?: EpochMs;
  /** `createdAt` at or before. */
  readonly until?: EpochMs;
}

/** One page of a search, and how many alerts match in all. */
export interface AlertPage {
  readonly alerts: readonly Alert[];
  readonly total: number;
}

/** A market with the alerts of a window summed up (contract, Hot market item). */
export interface HotMarket {
  readonly marketId: string;
  readonly eventTitle: string;
  readonly eventSlug: string;
  readonly category: Category;
  readonly alertCount: number;
  readonly avgScore: number;
  readonly totalUsdc: number;
  readonly latestAlertAt: EpochMs;
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
  /** 0 when there is none today. */
  readonly avgScoreToday: number;
  readonly clustersToday: number;
  /** Alerts whose market is settled, and those of them that were right. */
  readonly totalResolved: number;
  readonly totalWon: number;
}

/** What a filter would have published in a window, and what became of it (design, `/alerts/preview`). */
export interface AlertPreview {
  readonly total: number;
  /** Every UTC day that the window touches, oldest first, also those without an alert. */
  readonly daily: readonly { readonly dayStart: EpochMs; readonly alerts: number }[];
  /** The resolved ones, those of them that were right, and the sum of their entries (`entryOf`), to 6 decimals. */
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
  /** The markets of the resolved ones, each counted once: the sums of their means (`RecordEntry.perMarket`). */
  readonly markets: { readonly resolved: number; readonly won: number; readonly entrySum: number };
  /** Newest first. */
  readonly newest: readonly Alert[];
}

/** `taken`: another alert holds this id. `duplicate`: this alert is there already, under whatever id. */
export type AppendOutcome = 'appended' | 'duplicate' | 'taken';

/** An alert as its thread is read. */
export type ThreadEntry = Pick<Alert, 'id' | 'key' | 'tradedAt'>;

/** A page of markets that have alerts without an outcome. */
export interface UnresolvedMarkets {
  readonly marketIds: readonly string[];
  readonly lastId: number | null;
}

/** The ledger's table: appended by one writer, read by everyone. */
export interface AlertStore {
  /** Writes one alert durably (majority where there is one). Atomic: id and key are each unique. */
  append(alert: Alert): Promise<AppendOutcome>;
  /** Gives an alert another position in the log: only where its first one is another entry's. */
  setLog(id: number, log: LogHead): Promise<void>;
  /** The alert with the highest id. */
  last(): Promise<Alert | null>;
  byId(id: number): Promise<Alert | null>;
  /** All alerts of the thread with this key (`threadKey`), oldest first. */
  thread(key: string): Promise<readonly ThreadEntry[]>;
  /** Alerts of a market, oldest first, at most `limit`. */
  ofMarket(marketId: string, limit: number): Promise<readonly Alert[]>;
  /** Alerts with a larger id, oldest first, at most `limit`. */
  after(id: number, limit: number): Promise<readonly Alert[]>;
  /** Newest first, `createdAt` at or before `until`, at most `limit`. */
  latest(query: { limit: number; until?: EpochMs }): Promise<readonly Alert[]>;
  /** Newest first; `page` counts from 1. */
  search(filter: AlertFilter, page: { page: number; pageSize: number }): Promise<AlertPage>;
  /**
   * Alerts with `createdAt` from `since` to `until`, both included. Each list is sorted by its own metric, descending;
   * ties by market id.
   */
  hotMarkets(query: {
    since: EpochMs;
    until?: EpochMs;
    limit: number;
    category?: Category;
  }): Promise<HotMarkets>;
  /** `dayStart`: the UTC midnight from which "today" counts. Alerts created after `until` are in none of the figures. */
  stats(query: { dayStart: EpochMs; until?: EpochMs }): Promise<AlertStats>;
  /** Sums up a filter's matches; `since` after `until` is an empty window. `newest`: how many of them to give. */
  preview(
    filter: AlertFilter & { readonly since: EpochMs; readonly until: EpochMs },
    options: { newest: number },
  ): Promise<AlertPreview>;
  /**
   * Gives every alert of a market the outcome `resolve` computes for it, overwriting an earlier one; null leaves the
   * alert as it is. Doing it twice changes nothing. Returns how many alerts of the market are resolved, and won.
   */
  resolveMarket(
    marketId: string,
    resolve: (alert: Alert) => Resolution | null,
  ): Promise<{ resolved: number; won: number }>;
  /**
   * The markets of the next `limit` unresolved alerts after the id, by their oldest such alert, each once a page. `lastId` is
   * where the next page begins; null when this is the last.
   */
  unresolvedMarkets(page: { afterId: number; limit: number }): Promise<UnresolvedMarkets>;
}
