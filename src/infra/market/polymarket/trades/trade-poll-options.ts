import type { EpochMs } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { BlindCause, TimeRange } from '../../../../core/trades/coverage/blind-window.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import type { FeedTools } from '../client/market-client.ts';

/** Constructor options of `TradePoll`. All times are in the market's time. */
export interface TradePollOptions extends FeedTools {
  readonly metrics: Pick<Metrics, 'feedTrades'>;
  /** A page behind a cursor was read, as of that moment: a walk of many pages makes progress. */
  readonly onPage: (asOf: EpochMs) => void;
  /** A trade is on a page, for the first time or again. Older trades than the walk looks for are left out. */
  readonly onListed: (trade: Trade) => void;
  /** How far back the first round reaches; null at the very first start. Asked once the market's time is known. */
  readonly wantedFrom: () => EpochMs | null;
  readonly knows: (trade: Trade) => boolean;
  /** Time of the first trade that the stream showed after this moment and polling has not listed for a while; null: none. */
  readonly unlistedSince: (moment: EpochMs) => EpochMs | null;
  /** Takes rows, oldest first. Resolves when there is room for more. */
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  /** The answers show the market as of that moment, and what they list was enqueued. */
  readonly fresh: (at: EpochMs) => void;
  readonly confirmed: (span: TimeRange) => void;
  /** `completeUntil`: what was confirmed after it was not complete. */
  readonly failed: (cause: BlindCause, completeUntil?: EpochMs) => void;
}

/** State of polling. `progress`: of a walk that catches up, 0 to 1; null otherwise. */
export interface TradePollStatus {
  readonly state: 'starting' | 'catching_up' | 'live';
  readonly progress: number | null;
  readonly newestTradeAt: EpochMs | null;
  readonly confirmedUntil: EpochMs | null;
}
