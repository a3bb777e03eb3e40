import type { LedgerMetrics } from '../alerts/ledger/ledger-metrics.ts';
import type { EvictedKind } from '../detection/detector-memory.ts';
import type { ObservationMetrics } from '../record/observations/observation-store.ts';
import type { DropReason } from '../trades/source/source.ts';
import type { AgeSource } from '../trades/source/wallet-age-store.ts';

/** Metrics of the ingest and of the parts that it runs. */
export interface IngestMetrics extends LedgerMetrics, ObservationMetrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  /** `length`: UTF-16 units of the chunks that were written. */
  snapshotWritten(durationMs: number, length: number): void;
  /** Entries were evicted from the detector's memory. */
  detectorEvicted(kind: EvictedKind, count: number): void;
  /** Trades that the feed's sources enqueued: new ones, and those already known. */
  feedTrades(kind: 'new' | 'known', count: number): void;
  /** Trades that wait for facts now. */
  tradesWaiting(count: number): void;
  /** Wallet facts were requested; settled ones name the source of the age. `given_up`: the wallet is judged without facts. */
  factsAsked(outcome: AgeSource | 'unsettled' | 'failed' | 'given_up'): void;
}
