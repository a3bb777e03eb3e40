import type { CdnMode } from './cdn.ts';

/** How the simulator behaves where a market that is convenient for a test and the real one differ. */
export interface MarketProfile {
  /** Of the CDN in front of the Data API and Gamma. */
  readonly cdn: CdnMode;
  /** How far the market's clock, by which it dates answers and trades, is ahead of this one's. */
  readonly skewMs: number;
  /** `rebuilt`: each 4 s, with rows that are 3 to 11 s behind their trades. */
  readonly listing: 'immediate' | 'rebuilt';
  /**
   * `captured`: rows of the global list and the latest of a wallet's have 999 as the index of the outcome and no slug of the event.
   */
  readonly labels: 'complete' | 'captured';
  /** Whether requests above the limits of version 2 are answered 429. */
  readonly hasLimits: boolean;
  /** `measured`: each type at its own delay, one second less in 3 of 4 transactions, 99.7% of rows, silent without PING. */
  readonly rtds: 'immediate' | 'measured';
}

export const IMMEDIATE: MarketProfile = {
  cdn: 'off',
  skewMs: 0,
  listing: 'immediate',
  labels: 'complete',
  hasLimits: false,
  rtds: 'immediate',
};

/** As others measured the real market in September and October 2026 (test/fixtures/upstream/README.md). */
export const AS_MEASURED: MarketProfile = {
  ...IMMEDIATE,
  cdn: 'by-url',
  listing: 'rebuilt',
  labels: 'captured',
  hasLimits: true,
  rtds: 'measured',
};
