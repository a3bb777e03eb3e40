import type { Alert } from '../../alerts/alert.ts';
import { paged } from '../../base/async/paged.ts';
import type { Lease } from '../../base/lease/lease.ts';
import { rounded } from '../../base/rounded.ts';
import { type EpochMs, HOUR_MS } from '../../base/time/duration.ts';
import type { Category } from '../../trades/trade.ts';

/** Contents of one write: at most a few hundred of each. */
export interface ObservationBatch {
  readonly markets: readonly ObservedMarket[];
  readonly hours: readonly ObservedHour[];
}

/** What the market did around each alert. Kept permanently. */
export interface ObservationStore {
  /** Inserts or replaces markets and hours. False, and nothing written, when the lease's epoch is no longer current. */
  write(lease: Lease, batch: ObservationBatch): Promise<boolean>;
  market(marketId: string): Promise<ObservedMarket | null>;
  /** Markets with `isOpen`, ascending by id after `after`, at most `limit`. */
  open(query: { readonly after?: string; readonly limit: number }): Promise<readonly ObservedMarket[]>;
  /** Markets with `isOpen` that stated an end at or after a moment, by that end, at most `limit`. */
  endingNext(query: { readonly from: EpochMs; readonly limit: number }): Promise<readonly ObservedMarket[]>;
  /** Hours of a market from `from` on and before `until`, ascending, at most `limit`. */
  hours(marketId: string, query: HourQuery): Promise<readonly ObservedHour[]>;
}

/** Metrics of the observations. */
export interface ObservationMetrics {
  /** Hours of observed markets: written, or left as stored because less of them was remembered. */
  hoursObserved(outcome: 'written' | 'kept', count: number): void;
  /** Orders left the memory of observations before their time, to make room. */
  ordersForgotten(count: number): void;
}

/** A time in which a market is observed by the minute: whole hours, the end excluded. */
export interface MinuteSpan {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** An alert in a market that is observed. Times are those of the source (on a tape, the tape's own), not published time. */
interface ObservedAlert {
  readonly key: string;
  readonly tradedAt: EpochMs;
  /** When its order was closed; on a live source, when it was published. */
  readonly detectedAt: EpochMs;
}

/** A market that is observed because it has an alert. Times are those of the source. */
export interface ObservedMarket {
  readonly marketId: string;
  /** Token id of the outcome on whose scale the prices are: the first that was seen. The other outcome's price is 1 minus it. */
  readonly baseAsset: string;
  readonly baseOutcome: string;
  /** In the market's payouts; 999 while unknown. */
  readonly baseOutcomeIndex: number;
  /** Null until an order in the other outcome was seen. */
  readonly otherAsset: string | null;
  readonly question: string;
  readonly slug: string;
  /** Of the event that the market belongs to; null while unknown. */
  readonly eventSlug: string | null;
  readonly eventTitle: string | null;
  readonly category: Category;
  /** Tag slugs in lower case, ascending, at least one; absent while none is known. */
  readonly tags?: readonly string[];
  /** When the market ends, according to the market; absent while unknown. */
  readonly endsAt?: EpochMs;
  /** In the order in which they were found. */
  readonly alerts: readonly ObservedAlert[];
  /** Merged, ascending. Hours outside them are observed as a whole, from the first span until the market is settled. */
  readonly spans: readonly MinuteSpan[];
  /** When the market's payouts were first known; null while unsettled. */
  readonly settledAt: EpochMs | null;
  /** False once it is settled, its last span has passed, and no late order can reach either. */
  readonly isOpen: boolean;
}

/** What happened in a market in one hour, in canonical JSON (see docs/observations.md). Replaced as a whole. */
export interface ObservedHour {
  readonly marketId: string;
  readonly hour: EpochMs;
  readonly text: string;
}

/** Times from `from` on and before `until`, on the clock of the source. */
export interface HourRange {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** `isNewestFirst`: descending instead of ascending. */
export interface HourQuery extends HourRange {
  readonly limit: number;
  readonly isNewestFirst?: boolean;
}

/** Hours of one read: parsing them takes a millisecond. */
const LIMIT = 50;

/** All hours of a market from `from` on and before `until`, ascending. */
export function hoursOf(
  observations: Pick<ObservationStore, 'hours'>,
  marketId: string,
  { from, until }: HourRange,
): AsyncGenerator<ObservedHour, void> {
  const after = (last?: ObservedHour) => {
    const start = last === undefined ? from : last.hour + HOUR_MS;
    return observations.hours(marketId, { from: start, until, limit: LIMIT });
  };
  return paged(after, LIMIT);
}

/** An outcome of an observed market: 0 the base, 1 the other. */
export type OutcomeSide = 0 | 1;

/** The outcome of an alert in its observed market, by the asset in the alert's key. */
export function outcomeSideOf(
  { key }: Pick<Alert, 'key'>,
  { baseAsset }: Pick<ObservedMarket, 'baseAsset'>,
): OutcomeSide {
  return key.includes(`:${baseAsset}:`) ? 0 : 1;
}

/**
 * Converts a price on the base outcome's scale, USDC per share, to the scale of `outcome`: for the other outcome it is 1 minus
 * the price.
 */
export function onScaleOf(outcome: OutcomeSide, price: number): number {
  return outcome === 0 ? price : rounded(1 - price, 6);
}
