import type { EvictedKind } from '../detection/memory-use.ts';
import type { LedgerMetrics } from '../ledger/ledger-metrics.ts';
import type { ObservationMetrics } from '../observations/observation-metrics.ts';
import type { DropReason } from '../source/source.ts';
import type { AgeSource } from '../source/wallet-age-store.ts';

/** Metrics of the ingest, those of the parts that it runs included. */
export interface IngestMetrics extends LedgerMetrics, ObservationMetrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  /** `length`: UTF-16 units of its chunks that were written. */
  snapshotWritten(durationMs: number, length: number): void;
  /** Entries left the detector's memory to make room. */
  detectorEvicted(kind: EvictedKind, count: number): void;
  /** Trades offered by the feed's parts: new ones, and those that were known. */
  feedTrades(kind: 'new' | 'known', count: number): void;
  /** Trades that wait for facts now. */
  tradesWaiting(count: number): void;
  /** A wallet's facts were asked for; settled ones name where the age was read. `given_up`: its trades go on without. */
  factsAsked(outcome: AgeSource | 'unsettled' | 'failed' | 'given_up'): void;
}
