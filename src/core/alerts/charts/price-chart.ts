import type { PricePoint } from '../../trades/price-point.ts';
import type { Alert } from '../alert.ts';
import { isRight, putInOf } from '../bet.ts';

/** The price of one outcome over time, and what happened at it. */
export interface PriceChart {
  /** The outcome whose price it is, as the market names it. */
  readonly outcome: string;
  /** Whether it is the first of its market: its alerts are ▲, those of others ▼. */
  readonly isFirstOutcome: boolean;
  /** Last prices, ascending by time. */
  readonly line: readonly PricePoint[];
  /** Alerts on this outcome, ascending by time. */
  readonly alerts: readonly ChartAlert[];
  /** When positions in it were sold or hedged. */
  readonly exits: readonly ChartExit[];
  /** Null while it is not known. */
  readonly settlement: ChartSettlement | null;
}

/** What a share paid, and since when that is known. */
export interface ChartSettlement extends PricePoint {
  /** That was not observed (yet): it is drawn at the end. */
  readonly isUndated?: boolean;
}

/** An alert at the second and the price of its order. */
export interface ChartAlert extends PricePoint {
  readonly id: number;
  /** What its bet has put in, the order included. */
  readonly putInUsdc: number;
  readonly result: 'open' | 'right' | 'wrong';
  /** Whether it is the alert that the chart is about. */
  readonly isMain?: boolean;
}

/** When a position was sold or hedged, in one sentence. */
export interface ChartExit extends PricePoint {
  readonly words: string;
}

/** In pixels, or in other units of the picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How an alert is drawn. */
export function chartAlert(alert: Alert): ChartAlert {
  const isWon = isRight(alert);
  return {
    id: alert.id,
    at: alert.tradedAt,
    price: alert.entryPrice,
    putInUsdc: putInOf(alert),
    result: isWon === null ? 'open' : isWon ? 'right' : 'wrong',
  };
}
