import { rounded } from '../../base/rounded.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { FoundExit } from '../../detection/found-exit.ts';
import type { Category } from '../../trades/trade.ts';
import type { AppendResult } from '../alert-store.ts';
import type { JsonObject, LogHead } from '../log/log-entry.ts';

/** A numbered exit. Only `marketEvent` changes, as that of its alerts. `tradedAt` and `alertedAt` are published times. */
export interface Exit extends FoundExit {
  /** 1, 2, 3 … without gaps. */
  readonly number: number;
  /** The first alert of the thread, and all alerts of it up to the exit, ascending. */
  readonly threadId: number;
  readonly alertIds: readonly number[];
  /** From the newest of these alerts. */
  readonly eventTitle: string;
  readonly eventSlug: string;
  readonly marketEvent: string | null;
  readonly category: Category;
  /** The source's clock when the order was closed; never decreases with the number. */
  readonly createdAt: EpochMs;
  /** From before the start of the run: listed only, never streamed, posted or delivered. */
  readonly isHistory: boolean;
  /** Its entry in the log. */
  readonly log: LogHead;
}

/** Which exits are read; absent fields do not restrict. */
export interface ExitFilter {
  readonly wallet?: string;
  readonly marketId?: string;
  /** None that was created later. */
  readonly until?: EpochMs;
}

/** Stored exits, appended by one writer. */
export interface ExitStore {
  /** Writes exits durably, in order, as `AlertStore.append` does. */
  append(...exits: readonly Exit[]): Promise<AppendResult>;
  /** Those of these keys that exits have. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Gives an exit another position in the log, if its first one belongs to another entry. */
  setLog(number: number, log: LogHead): Promise<void>;
  /** The newest one created until then; null without one. */
  last(until?: EpochMs): Promise<Exit | null>;
  /** Exits with a larger number, ascending, at most `limit`. */
  after(number: number, limit: number, filter?: ExitFilter): Promise<readonly Exit[]>;
  /** All exits of threads, by their first alerts, ascending; none created after `until`. */
  ofThreads(threadIds: readonly number[], until?: EpochMs): Promise<readonly Exit[]>;
}

/** An exit as the API publishes it and as its log entry has it, without its position in the log. */
export function exitBody(exit: Exit) {
  const { tradedAt, alertedAt } = exit;
  return {
    number: exit.number,
    level: exit.level,
    thread_id: exit.threadId,
    alert_ids: exit.alertIds,
    wallet: exit.wallet,
    market_id: exit.marketId,
    event_title: exit.eventTitle,
    event_slug: exit.eventSlug,
    category: exit.category,
    outcome: exit.outcome,
    outcome_index: exit.outcomeIndex,
    held_share: rounded(exit.heldShares / exit.peakShares, 4),
    held_shares: exit.heldShares,
    peak_shares: exit.peakShares,
    sold_shares: exit.soldShares,
    sale_price: exit.salePrice,
    realized_profit: exit.profitUsdc,
    traded_at: new Date(tradedAt).toISOString(),
    seconds_since_alert: Math.max(0, Math.round((tradedAt - alertedAt) / SECOND_MS)),
    created_at: new Date(exit.createdAt).toISOString(),
  } satisfies JsonObject;
}
