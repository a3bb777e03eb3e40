import { ALERT_TYPES, type Alert, type AlertType } from './alert.ts';

/** Bands of the score, highest first, with the lowest score of each (detection.md, "Detection"). */
export const SCORE_BANDS = [
  { band: 'very_high', from: 80 },
  { band: 'strong', from: 60 },
  { band: 'moderate', from: 40 },
  { band: 'informational', from: 0 },
] as const;
export type ScoreBand = (typeof SCORE_BANDS)[number]['band'];

/**
 * What a set of observations earned. Rates are shares of 1 over the resolved ones, losses included; all four are
 * null where nothing is resolved.
 */
export interface RecordFigures {
  /** Observations: alerts, or markets. */
  readonly count: number;
  readonly resolved: number;
  readonly winRate: number | null;
  /** Mean price at which the outcome hoped for was taken, USDC a share; for a SELL that is 1 − price. */
  readonly averageEntry: number | null;
  /** `winRate − averageEntry`: above 0 the alerts knew more than the price did. */
  readonly edge: number | null;
  /** Sum of the profits, USDC; below 0 for a loss. */
  readonly profitUsdc: number | null;
}

/** The same alerts counted twice. */
export interface RecordEntry {
  readonly perAlert: RecordFigures;
  /**
   * Each market is one observation, the mean of its resolved alerts: copies of one market are not independent, and
   * counting them as if they were understates the error 1.9 times (detection.md, "Evidence").
   */
  readonly perMarket: RecordFigures;
}

/** What the published alerts really earned, every type and band present even when empty. */
export interface PublishedRecord {
  readonly all: RecordEntry;
  readonly byType: Readonly<Record<AlertType, RecordEntry>>;
  readonly byBand: Readonly<Record<ScoreBand, RecordEntry>>;
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
export function ratesOf(sums: {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}): Pick<RecordFigures, 'winRate' | 'averageEntry' | 'edge'> {
  const { resolved, won, entrySum } = sums;
  if (resolved === 0) return { winRate: null, averageEntry: null, edge: null };
  const [winRate, averageEntry] = [won / resolved, entrySum / resolved];
  return { winRate, averageEntry, edge: winRate - averageEntry };
}

/**
 * The published record of these alerts (detection.md, row "published record"). Pure; the same alerts in another
 * order give the same numbers to the last bit.
 */
export function summariseRecord(alerts: readonly Alert[]): PublishedRecord {
  const recordOf = (belongs: (alert: Alert) => boolean) => summarise(alerts.filter(belongs));
  return {
    all: summarise(alerts),
    byType: mapKeys(ALERT_TYPES, (type) => recordOf((alert) => alert.type === type)),
    byBand: mapKeys(
      SCORE_BANDS.map(({ band }) => band),
      (band) => recordOf((alert) => scoreBandOf(alert.score) === band),
    ),
  };
}

interface Observation {
  readonly won: number;
  readonly entry: number;
  readonly profit: number;
}

function summarise(alerts: readonly Alert[]): RecordEntry {
  const byMarket = Map.groupBy(alerts, (alert) => alert.marketId);
  const markets = [...byMarket.values()].map(observationsOf).filter((own) => own.length > 0);
  return {
    perAlert: figuresOf(alerts.length, observationsOf(alerts)),
    perMarket: figuresOf(byMarket.size, markets.map(meanObservation)),
  };
}

function observationsOf(alerts: readonly Alert[]): Observation[] {
  return alerts.flatMap((alert) =>
    alert.resolution === null
      ? []
      : {
          won: alert.resolution.won ? 1 : 0,
          entry: entryOf(alert),
          profit: alert.resolution.profitUsdc,
        },
  );
}

function meanObservation(observations: readonly Observation[]): Observation {
  return {
    won: mean(observations.map(({ won }) => won)),
    entry: mean(observations.map(({ entry }) => entry)),
    profit: mean(observations.map(({ profit }) => profit)),
  };
}

function figuresOf(count: number, observations: readonly Observation[]): RecordFigures {
  const resolved = observations.length;
  const sums = {
    resolved,
    won: sum(observations.map(({ won }) => won)),
    entrySum: sum(observations.map(({ entry }) => entry)),
  };
  const profitUsdc = resolved === 0 ? null : sum(observations.map(({ profit }) => profit));
  return { count, resolved, ...ratesOf(sums), profitUsdc };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Floating-point sums depend on the order of their terms; sorting first takes the caller's order out of it. */
function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

function mapKeys<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}
