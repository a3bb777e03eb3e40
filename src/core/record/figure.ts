import { seededRandom } from '../base/random.ts';
import { rounded } from '../base/rounded.ts';
import type { Blocks } from './blocks.ts';
import type { RecordFigure, RecordMean } from './record-report.ts';

/** Decimals of prices and results, USDC a share, and of shares and p-values. */
const DECIMALS = 6;

/** A figure of one alert or buy, USDC a share. */
export interface Observation {
  readonly event: string;
  readonly value: number;
  /** What was paid for a share of which `value` is the result: the chance at which the result is 0 on average. */
  readonly price?: number;
}

/** A block with the figures of its events. */
export interface BlockSum {
  readonly events: number;
  readonly sum: number;
  /** Mean price of its events, each the mean of its observations; 0 where prices do not apply. */
  readonly price: number;
}

/** The mean without an interval, one vote for each event. */
export function meanOf(observations: readonly Observation[]): RecordMean {
  const events = eventMeans(observations);
  const values = events.map(({ value }) => value);
  return { alerts: observations.length, events: events.length, mean: roundedMean(values) };
}

/** The figure with its interval. `blocks` has all events of the observations. */
export function figureOf(observations: readonly Observation[], blocks: Blocks): RecordFigure {
  const sums = blockSums(observations, blocks);
  const interval = bootstrapInterval(sums.map(({ events, sum }) => ({ weight: events, sum })));
  return {
    ...meanOf(observations),
    blocks: sums.length,
    low: toDecimals(interval?.low ?? null),
    high: toDecimals(interval?.high ?? null),
    per_alert: roundedMean(observations.map(({ value }) => value)),
  };
}

/** The observations by block, in no particular sequence. */
export function blockSums(observations: readonly Observation[], blocks: Blocks): readonly BlockSum[] {
  const byBlock = Map.groupBy(eventMeans(observations), ({ event }) => blocks.get(event));
  return [...byBlock.values()].map((events) => ({
    events: events.length,
    sum: orderedSum(events.map(({ value }) => value)),
    price: orderedMean(events.map(({ price }) => price)),
  }));
}

/** Rounds a published number; null stays. */
export function toDecimals(value: number | null): number | null {
  return value === null ? null : rounded(value, DECIMALS);
}

/** Null for no value. */
export function roundedMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(orderedMean(values), DECIMALS);
}

function eventMeans(observations: readonly Observation[]): readonly Required<Observation>[] {
  return [...Map.groupBy(observations, ({ event }) => event)].map(([event, own]) => ({
    event,
    value: orderedMean(own.map(({ value }) => value)),
    price: orderedMean(own.map(({ price }) => price ?? 0)),
  }));
}

/** Unit of resampling: its weight, above 0, and the sum of its observations. */
export interface BootstrapCluster {
  readonly weight: number;
  readonly sum: number;
}

const RESAMPLES = 2_000;
const SEED = 16;
const TAIL = 0.025;

/**
 * The 95 % percentile interval of `Σ sum / Σ weight`, both bounds included, from `resamples` draws of the clusters with replacement
 * (cluster bootstrap). The seed is fixed and the clusters are sorted first: the same clusters in any order give the same numbers to
 * the last bit. Null for fewer than two clusters, which say nothing about how much they vary. Below about 20 clusters the interval is
 * too narrow; of observations that do not vary it is a point.
 */
export function bootstrapInterval(
  clusters: readonly BootstrapCluster[],
  resamples = RESAMPLES,
): { readonly low: number; readonly high: number } | null {
  if (clusters.length < 2) return null;
  const sorted = clusters.toSorted((a, b) => a.weight - b.weight || a.sum - b.sum);
  const random = seededRandom(SEED);
  const ratios = Float64Array.from({ length: resamples }, () => {
    let [weight, sum] = [0, 0];
    for (let picked = 0; picked < sorted.length; picked += 1) {
      const cluster = sorted[Math.floor(random() * sorted.length)] as BootstrapCluster;
      weight += cluster.weight;
      sum += cluster.sum;
    }
    return sum / weight;
  }).sort();
  const below = Math.floor(TAIL * resamples);
  return { low: ratios[below] as number, high: ratios[resamples - 1 - below] as number };
}

/** The sum, the same to the last bit in whatever order the values come: they are sorted before they are added. */
export function orderedSum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** The mean, likewise. NaN without values. */
export function orderedMean(values: readonly number[]): number {
  return orderedSum(values) / values.length;
}
