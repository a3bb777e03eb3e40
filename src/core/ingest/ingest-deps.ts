import type { ExitLedger } from '../alerts/exits/exit-ledger.ts';
import type { Ledger, LedgerMetrics } from '../alerts/ledger/ledger.ts';
import type { RulesIdentity } from '../alerts/ledger/log-drafts.ts';
import type { LogRecorder } from '../alerts/ledger/log-recorder.ts';
import type { LogStore } from '../alerts/log/log-store.ts';
import type { LogWriter } from '../alerts/log/log-writer.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EvictedKind } from '../detection/detector-memory.ts';
import type { DetectionRules } from '../detection/rules.ts';
import type { Prices } from '../record/prices/prices.ts';
import type { MarketSource, WalletFactsSource } from '../trades/source/facts-sources.ts';
import type { Checkpoint, DropReason, Knowledge, Source } from '../trades/source/source.ts';
import type { AgeSource } from '../trades/source/wallet-ages.ts';
import type { Snapshots } from './snapshots.ts';

/** What the ingest reads, judges by and writes to. */
export interface IngestDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of the source, under which the snapshot is stored. */
  readonly sourceName: string;
  /**
   * Called for every run. `isRebuild`: the state at the checkpoint cannot be restored; the source must begin at its start
   * where it still has the rows up to the checkpoint (`Source.judgedUpTo`).
   */
  readonly openSource: (checkpoint: Checkpoint | null, isRebuild: boolean) => Promise<Source>;
  /** While true, nothing more is read from the source; the last batch is held and judged afterwards. */
  readonly isPaused: () => boolean;
  /** Like `isPaused`, while the clock of this host was set. Default: never. */
  readonly isClockHeld?: () => boolean;
  readonly rules: DetectionRules;
  readonly ledger: Ledger;
  readonly exits: ExitLedger;
  readonly writer: Pick<LogWriter, 'append' | 'head'>;
  readonly log: Pick<LogStore, 'lastOf'>;
  readonly rulesIdentity: RulesIdentity;
  readonly logRecorder: LogRecorder;
  readonly store: Snapshots;
  readonly snapshotEveryMs: number;
  readonly prices: Prices;
  readonly metrics: IngestMetrics;
}

/** Metrics of the ingest and of the parts that it runs. */
export interface IngestMetrics extends LedgerMetrics {
  rowDropped(reason: DropReason): void;
  tradesJudged(count: number): void;
  /** `length`: UTF-16 units of the chunks that were written. */
  snapshotWritten(durationMs: number, length: number): void;
  detectorEvicted(kind: EvictedKind, count: number): void;
  /** Trades that the feed's sources enqueued: new ones, and those already known. */
  feedTrades(kind: 'new' | 'known', count: number): void;
  tradesWaiting(count: number): void;
  /** Wallet facts were requested; settled ones name the source of the age. `given_up`: the wallet is judged without facts. */
  factsAsked(outcome: AgeSource | 'unsettled' | 'failed' | 'given_up'): void;
}

export interface IntakeDeps {
  readonly facts: WalletFactsSource;
  readonly markets: MarketSource;
  readonly clock: Clock;
  /** From 0 up to 1, spreads the attempts. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'feedTrades' | 'tradesWaiting' | 'factsAsked'>;
}

/** Dependencies of the parts of an intake that serve one run. */
export interface IntakeRunDeps extends IntakeDeps {
  readonly knowledge: Knowledge;
  readonly signal: AbortSignal;
  /** Called when something that orders wait for arrived, or is no longer awaited. */
  onChange(): void;
}
