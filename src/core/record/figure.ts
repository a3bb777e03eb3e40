import { rounded } from '../base/rounded.ts';
import type { Blocks } from './blocks.ts';
import { bootstrapIntervals } from './bootstrap.ts';
import { orderedMean, orderedSum } from './ordered-sum.ts';
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
