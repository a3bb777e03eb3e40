import { rounded } from '../../base/rounded.ts';
import { iso } from '../../base/text/date-time.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import type { FoundExit } from '../../detection/found-exit.ts';
import type { Category } from '../../trades/trade.ts';
import type { JsonObject, LogDraft, LogEntry, LogHead } from '../log/log-entry.ts';

/**
 * A numbered exit. Only `marketEvent` changes, as that of its alerts. `tradedAt` and `alertedAt` are published times; a later
 * `alertedAt` than the sale is not kept.
 */
export interface Exit extends Omit<FoundExit, 'isCluster'> {
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

/** An exit as the API publishes it, without its position in the log. */
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
    traded_at: iso(tradedAt),
    seconds_since_alert: Math.max(0, Math.round((tradedAt - alertedAt) / SECOND_MS)),
    created_at: iso(exit.createdAt),
  } satisfies JsonObject;
}

/** Its entry in the log, which is found by its key. It states, beyond what the API publishes, whether the exit is of the history. */
export function exitDraft(exit: Exit): LogDraft {
  const body = { ...exitBody(exit), is_history: exit.isHistory };
  return { kind: 'exit', key: exit.key, at: exit.createdAt, body };
}

type ExitEntryBody = ReturnType<typeof exitBody> & { readonly is_history: boolean };

/** The exit of an entry, without the event of its market. */
export function exitOfEntry({ key, seq, hash, body: found }: LogEntry): Exit {
  const body = found as ExitEntryBody;
  const tradedAt = Date.parse(body.traded_at);
  return {
    number: body.number,
    key,
    level: body.level,
    threadId: body.thread_id,
    alertIds: body.alert_ids,
    wallet: body.wallet,
    marketId: body.market_id,
    eventTitle: body.event_title,
    eventSlug: body.event_slug,
    marketEvent: null,
    category: body.category,
    outcome: body.outcome,
    outcomeIndex: body.outcome_index,
    heldShares: body.held_shares,
    peakShares: body.peak_shares,
    soldShares: body.sold_shares,
    salePrice: body.sale_price,
    profitUsdc: body.realized_profit,
    tradedAt,
    alertedAt: tradedAt - body.seconds_since_alert * SECOND_MS,
    createdAt: Date.parse(body.created_at),
    isHistory: body.is_history,
    log: { seq, hash },
  };
}
