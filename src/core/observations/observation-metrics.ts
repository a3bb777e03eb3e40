/** Metrics of the observations. */
export interface ObservationMetrics {
  /** Hours of observed markets: written, or left as they were stored, since less of them was remembered. */
  hoursObserved(outcome: 'written' | 'kept', count: number): void;
  /** Orders left the memory of observations before their time, to make room. */
  ordersForgotten(count: number): void;
}
