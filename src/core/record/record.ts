import { ALERT_TYPES, type Alert, type AlertType } from '../alerts/alert.ts';
import { newestOfThreads } from '../alerts/newest-of-threads.ts';
import { positionProfitOf } from '../alerts/resolution.ts';
import { bootstrapIntervals, type ConfidenceInterval } from './bootstrap.ts';
import { orderedSum } from './ordered-sum.ts';

/** Bands of the score, highest first, with the lowest score of each (detection.md, "Detection"). */
export const SCORE_BANDS = [
  { band: 'very_high', from: 80 },
  { band: 'strong', from: 60 },
  { band: 'moderate', from: 40 },
  { band: 'informational', from: 0 },
] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number]['band'];

/** The 95 % intervals of three rates. */
export interface RateIntervals {
  readonly winRate: ConfidenceInterval;
  readonly averageEntry: ConfidenceInterval;
  readonly edge: ConfidenceInterval;
}

/**
 * What a set of observations says. Rates are shares of 1 over the resolved ones, losses included, and null where nothing
 * is resolved.
 */
export interface RecordFigures {
  /** Observations: alerts, markets or events. */
  readonly count: number;
  readonly resolved: number;
  readonly winRate: number | null;
  /** Mean price at which the outcome hoped for was taken, USDC a share; for a SELL that is 1 − price. */
  readonly averageEntry: number | null;
  /** `winRate − averageEntry`: above 0 the alerts knew more than the price did. */
  readonly edge: number | null;
  /** Null where fewer than two markets (per event: events) are resolved. */
  readonly intervals: RateIntervals | null;
}

/** The same alerts counted three times. */
export interface RecordEntry {
  /** Each event is one observation, the mean of its markets: markets of one event are not independent. */
  readonly perEvent: RecordFigures;
  /** Each market is one observation, the mean of its resolved alerts: copies of one market are not independent. */
  readonly perMarket: RecordFigures;
  /**
   * Each alert is one observation. Its intervals are drawn by market: intervals that took copies for independent would be
   * half as wide (detection.md, "What the record says").
   */
  readonly perAlert: RecordFigures;
  /** Sum of the orders' profits, USDC before fees; below 0 for a loss, null where nothing is resolved. */
  readonly profitUsdc: number | null;
  readonly positions: PositionFigures;
}

/**
 * The positions of these alerts that are resolved and whose shares are known: each counted once, as the last of its alerts
 * here states it. Clusters count where there are no alerts of wallets, which may be of their members.
 */
export interface PositionFigures {
  readonly count: number;
  /** Sum of their profits, USDC before fees; null where there is none. */
  readonly profitUsdc: number | null;
}

/** What the published alerts really earned, every type and band present even when empty. */
export interface PublishedRecord {
  readonly all: RecordEntry;
  readonly byType: Readonly<Record<AlertType, RecordEntry>>;
  readonly byBand: Readonly<Record<ScoreBand, RecordEntry>>;
}

/** How a record is made. */
export interface RecordOptions {
  /** Names the event a market belongs to; markets that share a cause are one event. Without it each market is its own. */
  readonly eventOf?: (marketId: string) => string;
  /** Draws behind each interval, default 2,000. */
  readonly resamples?: number;
}

/** The band of a score of 0 to 100: 80 and above very high, 60 strong, 40 moderate, below informational. */
export function scoreBandOf(score: number): ScoreBand {
  return SCORE_BANDS.find(({ from }) => score >= from)?.band ?? 'informational';
}

/** The price at which an alert took the outcome it hoped for, USDC a share: for a SELL that is 1 − price. */
export function entryOf({ side, entryPrice }: Pick<Alert, 'side' | 'entryPrice'>): number {
  return side === 'BUY' ? entryPrice : 1 - entryPrice;
}

/** The rates of resolved alerts from their sums; null where none is resolved. `RecordFigures` says what each is. */
export function ratesOf(sums: OutcomeCounts): Pick<RecordFigures, 'winRate' | 'averageEntry' | 'edge'> {
  const { resolved, won, entrySum } = sums;
  if (resolved === 0) return { winRate: null, averageEntry: null, edge: null };
  const [winRate, averageEntry] = [won / resolved, entrySum / resolved];
  return { winRate, averageEntry, edge: winRate - averageEntry };
}

/**
 * The published record of these alerts (detection.md, "What the record says"). Pure; the same alerts in another order give
 * the same numbers to the last bit.
 */
export function summariseRecord(alerts: readonly Alert[], options: RecordOptions = {}): PublishedRecord {
  const recordOf = (belongs: (alert: Alert) => boolean) => summarise(alerts.filter(belongs), options);
  return {
    all: summarise(alerts, options),
    byType: mapKeys(ALERT_TYPES, (type) => recordOf((alert) => alert.type === type)),
    byBand: mapKeys(
      SCORE_BANDS.map(({ band }) => band),
      (band) => recordOf((alert) => scoreBandOf(alert.score) === band),
    ),
  };
}

/** Resolved observations as sums: how many, and their wins and entries together. */
interface OutcomeCounts {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

function summarise(
  alerts: readonly Alert[],
  { eventOf = (marketId) => marketId, resamples }: RecordOptions,
): RecordEntry {
  const byMarket = Map.groupBy(alerts, (alert) => alert.marketId);
  const byEvent = Map.groupBy(byMarket, ([marketId]) => eventOf(marketId));
  const events = [...byEvent.values()]
    .map((markets) => markets.map(([, own]) => outcomeCountsOf(own)).filter(({ resolved }) => resolved > 0))
    .filter((markets) => markets.length > 0);
  const markets = events.flat();
  const figures = (count: number, counts: readonly OutcomeCounts[]) => figuresOf(count, counts, resamples);
  return {
    perEvent: figures(
      byEvent.size,
      events.map((own) => meanOf(addUp(own.map(meanOf)))),
    ),
    perMarket: figures(byMarket.size, markets.map(meanOf)),
    perAlert: figures(alerts.length, markets),
    profitUsdc: sumOrNull(alerts.flatMap(({ resolution }) => resolution?.profitUsdc ?? [])),
    positions: positionsOf(alerts),
  };
}

function outcomeCountsOf(alerts: readonly Alert[]): OutcomeCounts {
  const resolved = alerts.filter(({ resolution }) => resolution !== null);
  return {
    resolved: resolved.length,
    won: resolved.filter(({ resolution }) => resolution?.won === true).length,
    entrySum: orderedSum(resolved.map(entryOf)),
  };
}

/** The same rates as one observation. */
function meanOf({ resolved, won, entrySum }: OutcomeCounts): OutcomeCounts {
  return { resolved: 1, won: won / resolved, entrySum: entrySum / resolved };
}

function addUp(counts: readonly OutcomeCounts[]): OutcomeCounts {
  return {
    resolved: orderedSum(counts.map(({ resolved }) => resolved)),
    won: orderedSum(counts.map(({ won }) => won)),
    entrySum: orderedSum(counts.map(({ entrySum }) => entrySum)),
  };
}

function figuresOf(
  count: number,
  counts: readonly OutcomeCounts[],
  resamples: number | undefined,
): RecordFigures {
  const total = addUp(counts);
  const clusters = counts.map(({ resolved, won, entrySum }) => ({
    weight: resolved,
    sums: [won, entrySum, won - entrySum],
  }));
  const [winRate, averageEntry, edge] = bootstrapIntervals(clusters, resamples) ?? [];
  const intervals = winRate && averageEntry && edge ? { winRate, averageEntry, edge } : null;
  return { count, resolved: total.resolved, ...ratesOf(total), intervals };
}

function positionsOf(alerts: readonly Alert[]): PositionFigures {
  const ofWallets = alerts.filter(({ type }) => type !== 'cluster');
  const counted = ofWallets.length > 0 ? ofWallets : alerts;
  const profits = newestOfThreads(counted).flatMap((alert) => positionProfitOf(alert) ?? []);
  return { count: profits.length, profitUsdc: sumOrNull(profits) };
}

function sumOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : orderedSum(values);
}

function mapKeys<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
