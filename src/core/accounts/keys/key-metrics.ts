/** Metrics of the key check. */
export interface KeyMetrics {
  keyVerified(result: 'cached' | 'verified' | 'refused' | 'limited'): void;
  argon2Ran(): void;
}
