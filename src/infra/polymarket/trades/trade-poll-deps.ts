import type { Clock } from '../../../core/clock.ts';
import type { BlindCause } from '../../../core/feed-health/blind-window.ts';
import type { TimeRange } from '../../../core/feed-health/time-range.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { DropReason, LiveRow } from '../../../core/source/source.ts';
import type { EpochMs, Trade } from '../../../core/trade.ts';
import type { MarketClient } from '../client/market-client.ts';

/** All moments are in the market's time. */
export interface TradePollDeps {
  readonly client: Pick<MarketClient, 'get'>;
  /** The market's. */
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'feedTrades'>;
  onDrop(reason: DropReason, detail: string): void;
  /** A page behind a cursor could be read, as of that moment: a walk of many pages goes on. */
  onPage(asOf: EpochMs): void;
  /** How far back the first round reaches; null: the first start ever. Asked once the market's time is known. */
  wantedFrom(): EpochMs | null;
  /** Whether this fill was offered before, or judged. */
  knows(fill: Trade): boolean;
  /** When a trade was made that the stream showed after this moment and polling has not listed for a while; null: none. */
  unlistedSince(moment: EpochMs): EpochMs | null;
  /** Oldest first. Resolves when there is room for more. */
  enqueue(rows: readonly LiveRow[]): Promise<void>;
  /** The answers show the market as of that moment, and what they list was offered. */
  fresh(at: EpochMs): void;
  /** Every trade of the span that the market lists was offered. */
  confirmed(span: TimeRange): void;
  /** `completeUntil`: what was confirmed after it was not complete. */
  failed(cause: BlindCause, completeUntil?: EpochMs): void;
}

/** How polling stands. `progress`: of a walk that catches up, 0 to 1; null otherwise. */
export interface TradePollStatus {
  readonly state: 'starting' | 'catching_up' | 'live';
  readonly progress: number | null;
  readonly newestTradeAt: EpochMs | null;
  readonly confirmedUntil: EpochMs | null;
}
