import type { DeliveryState } from './delivery.ts';

/** Metrics of webhook deliveries. */
export interface DeliveryMetrics {
  /** A webhook delivery ended, by an attempt or without one. */
  deliveryEnded(state: Exclude<DeliveryState, 'pending' | 'claimed'>): void;
  /** One attempt, from its beginning to its end. */
  deliveryAttempted(durationMs: number): void;
  /** Deliveries this process holds that wait for their turn. */
  deliveriesWaiting(count: number): void;
}
