import type { PricePoint } from '../../trades/price-point.ts';
import type { Alert } from '../alert.ts';
import { isRight, putInOf } from '../bet.ts';

/** The price of one outcome over time, and what happened at it. */
export interface PriceChart {
  /** The outcome whose price it is, as the market names it. */
  readonly outcome: string;
  /** Last prices, ascending by time. */
  readonly line: readonly PricePoint[];
  /** Ascending by time. Those on the other outcome are at 1 minus their price. */
  readonly alerts: readonly ChartAlert[];
  /** When positions were sold or hedged, on the scale of the outcome. */
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
  /** What it bought, as the market names it. */
  readonly outcome: string;
  /** Whether that is the first outcome of its market: ▲, others ▼. */
  readonly isFirstOutcome: boolean;
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

/** How an alert is drawn at this price. */
export function chartAlert(alert: Alert, price: number): ChartAlert {
  const isWon = isRight(alert);
  return {
    id: alert.id,
    outcome: alert.outcome,
    isFirstOutcome: alert.outcomeIndex !== 1,
    at: alert.tradedAt,
    price,
    putInUsdc: putInOf(alert),
    result: isWon === null ? 'open' : isWon ? 'right' : 'wrong',
  };
}
