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
  /** Sum of the events' means. */
  readonly sum: number;
  /** Mean price of its events, each the mean of its observations; 0 where prices do not apply. */
  readonly price: number;
}

interface EventMean {
  readonly event: string;
  readonly value: number;
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
  const [interval] =
    bootstrapIntervals(sums.map(({ events, sum }) => ({ weight: events, sums: [sum] }))) ?? [];
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

function eventMeans(observations: readonly Observation[]): readonly EventMean[] {
  return [...Map.groupBy(observations, ({ event }) => event)].map(([event, own]) => ({
    event,
    value: orderedMean(own.map(({ value }) => value)),
    price: orderedMean(own.map(({ price }) => price ?? 0)),
  }));
}

/** A 95 % confidence interval, both bounds included. */
interface ConfidenceInterval {
  readonly low: number;
  readonly high: number;
}

/** Unit of resampling: its weight, and the sums of its observations. */
export interface BootstrapCluster {
  readonly weight: number;
  readonly sums: readonly number[];
}

const RESAMPLES = 2_000;
const SEED = 16;
const TAIL = 0.025;

/**
 * The 95 % percentile intervals of `Σ sums[i] / Σ weight`, one for each `i`, from `resamples` draws of the clusters with
 * replacement (cluster bootstrap). The seed is fixed and the clusters are sorted first: the same clusters in any order give
 * the same numbers to the last bit. Null for fewer than two clusters, which say nothing about how much they vary.
 * Below about 20 clusters the intervals are too narrow; of observations that do not vary they are points. All clusters have the same number of sums and a weight above 0.
 */
export function bootstrapIntervals(
  clusters: readonly BootstrapCluster[],
  resamples = RESAMPLES,
): readonly ConfidenceInterval[] | null {
  const [first] = clusters;
  if (first === undefined || clusters.length < 2) return null;
  const size = first.sums.length;
  const draws = drawRatios(rowsOf(clusters), size, resamples);
  return Array.from({ length: size }, (_, index) => intervalOf(draws, index));
}

/** Each cluster as a row `[weight, ...sums]`, in ascending order. */
function rowsOf(clusters: readonly BootstrapCluster[]): readonly (readonly number[])[] {
  return clusters.map(({ weight, sums }) => [weight, ...sums]).sort(compareRows);
}

function compareRows(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] as number) - (b[index] as number);
}

/** For each sum, its ratio in each resample, ascending. */
function drawRatios(rows: readonly (readonly number[])[], size: number, resamples: number): Float64Array[] {
  const random = seededRandom(SEED);
  const width = size + 1;
  const values = Float64Array.from(rows.flat());
  const totals = new Float64Array(width);
  const ratios = Array.from({ length: size }, () => new Float64Array(resamples));
  for (let draw = 0; draw < resamples; draw += 1) {
    totals.fill(0);
    for (let picked = 0; picked < rows.length; picked += 1) {
      const start = Math.floor(random() * rows.length) * width;
      for (let index = 0; index < width; index += 1)
        totals[index] = (totals[index] as number) + (values[start + index] as number);
    }
    const weight = totals[0] as number;
    for (const [index, own] of ratios.entries()) own[draw] = (totals[index + 1] as number) / weight;
  }
  return ratios.map((own) => own.sort());
}

function intervalOf(draws: readonly Float64Array[], index: number): ConfidenceInterval {
  const sorted = draws[index] as Float64Array;
  const below = Math.floor(TAIL * sorted.length);
  return { low: sorted[below] as number, high: sorted[sorted.length - 1 - below] as number };
}

/** The sum, the same to the last bit in whatever order the values come: they are sorted before they are added. */
export function orderedSum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** The mean, likewise. NaN without values. */
export function orderedMean(values: readonly number[]): number {
  return orderedSum(values) / values.length;
}
