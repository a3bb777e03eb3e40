import type { EndState } from './delivery.ts';

/** Metrics of webhook deliveries. */
export interface DeliveryMetrics {
  /** A webhook delivery ended, by an attempt or without one. */
  deliveryEnded(state: EndState): void;
  /** The duration of one attempt. */
  deliveryAttempted(durationMs: number): void;
  /** Deliveries that wait in the memory of this process. */
  deliveriesWaiting(count: number): void;
}
