import type { Trade } from '../trade.ts';
import type { Order } from './order.ts';

/**
 * Whether a wallet was fresh at the moment of an order, by the active rules. `unknown`: its age or its markets were not
 * known, or it was not looked up (see `CLASSIFIED_USDC_MIN`).
 */
export type AgeClass = 'fresh' | 'not_fresh' | 'unknown';

/** USDC of a buy order from which its wallet is classified; of smaller ones and of sales the class is `unknown`. */
export const CLASSIFIED_USDC_MIN = 250;

/** Receives every order that the detector books. It has no influence on candidates. */
export interface OrderListener {
  /** Whether it receives the orders of this market even when the rules ignore it, for example because of later tags. */
  isObserved(marketId: string): boolean;
  /**
   * An order, BUY or SELL, of a market that the rules do not ignore or that is observed, after all orders of its second are
   * booked and before they are judged: ascending by second, wallet, asset, side. Fills that come after their order was closed
   * are another order with the same second, wallet, asset and side. Rows that are judged again to rebuild a state are reported
   * again.
   */
  order(order: Order, ageClass: AgeClass): void;
  /**
   * A fill of a booked order was removed. Its source may name a price and a second that differ from those that were booked,
   * and its market may be one that the rules ignore.
   */
  removed(fill: Trade): void;
}
