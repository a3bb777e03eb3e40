import { rounded } from '../base/rounded.ts';
import type { RecordMean } from './record-report.ts';

/** Decimals of prices and results, USDC a share, and of shares of 1. */
const DECIMALS = 6;

/** A figure of one alert, USDC a share. */
interface Observation {
  readonly event: string;
  readonly value: number;
}

/** The mean with one vote for each event, and with one for each observation. */
export function meanOf(observations: readonly Observation[]): RecordMean {
  const events = [...Map.groupBy(observations, ({ event }) => event).values()];
  const means = events.map((own) => orderedMean(own.map(({ value }) => value)));
  return {
    alerts: observations.length,
    events: events.length,
    mean: roundedMean(means),
    per_alert: roundedMean(observations.map(({ value }) => value)),
  };
}

/** Rounds a published number; null stays. */
export function toDecimals<Value extends number | null>(value: Value): Value {
  return (value === null ? null : rounded(value, DECIMALS)) as Value;
}

/** Null without values. */
export function roundedMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(orderedMean(values), DECIMALS);
}

/**
 * The mean, equal to the last bit whatever the order of the values, because they are sorted before they are added. NaN without
 * values.
 */
export function orderedMean(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0) / values.length;
}
