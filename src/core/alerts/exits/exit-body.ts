import { rounded } from '../../base/rounded.ts';
import { SECOND_MS } from '../../base/time/duration.ts';
import type { JsonObject } from '../log/log-entry.ts';
import type { Exit } from './exit.ts';

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
    held_share: exit.peakShares === 0 ? 0 : rounded(exit.heldShares / exit.peakShares, 4),
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
