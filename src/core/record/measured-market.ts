import type { Alert } from '../alerts/alert.ts';
import type { Settlement } from '../alerts/settlement.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { ObservedHour, ObservedMarket } from './observations/observation-store.ts';

/** What a reader could pay after an alert, and a day later, USDC a share of its outcome, 6 decimals; null where it is not known. */
export interface PriceMove {
  /** The first order in the time in which a reader could buy. */
  readonly openedAt: EpochMs | null;
  readonly price: number | null;
  /** 24 h after `openedAt`: the first order from then on, or the payout. */
  readonly closedAt: EpochMs | null;
  readonly value: number | null;
}

/** A published alert with its figures. */
export interface MeasuredAlert {
  readonly id: number;
  /** On the clock of the source. */
  readonly publishedAt: EpochMs;
  readonly entryPrice: number;
  /** First of its wallet, market and outcome: only these count. */
  readonly isFirst: boolean;
  readonly move: PriceMove;
  /** 1, 0 or 0.5; null until settled. */
  readonly payout: number | null;
}

/** The figures of a market with alerts. */
export interface MeasuredMarket {
  /** Slug of the event; of the market where the event is unknown. */
  readonly event: string;
  /** When its payouts were first known; null while they are not. */
  readonly settledAt: EpochMs | null;
  /** By id. */
  readonly alerts: readonly MeasuredAlert[];
}

/** What the stores have of an observed market. */
export interface RecordMarket {
  readonly market: ObservedMarket;
  /** The hours of its spans, and the first hour after each; ascending. */
  readonly hours: readonly ObservedHour[];
  /** All that were published, ascending by id. */
  readonly alerts: readonly Alert[];
  /** Its payouts; null while unsettled. */
  readonly settlement: Settlement | null;
}
