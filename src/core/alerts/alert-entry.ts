import { dateTime, iso } from '../base/text/date-time.ts';
import type { AlertDetails, ScorePart } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';
import type { JsonObject, LogDraft, LogEntry } from './log/log-entry.ts';

/** The fields of an alert that the API publishes and that never change. */
export function publishedFacts(alert: Alert) {
  const { details } = alert;
  const { wallets, clusterTotal, clusterShares, clusterAvgPrice } = details;
  return {
    id: alert.id,
    alert_type: alert.type,
    wallet_address: alert.wallet,
    market_id: alert.marketId,
    event_title: alert.eventTitle,
    event_slug: alert.eventSlug,
    side: alert.side,
    outcome: alert.outcome,
    entry_price: alert.entryPrice,
    usdc_value: alert.usdc,
    signal_score: alert.score,
    category: alert.category,
    trade_count: alert.tradeCount,
    created_at: dateTime(alert.createdAt),
    details: {
      wallet_age_days: details.walletAgeDays,
      is_accumulating: details.isAccumulating,
      market_buy_count: details.marketBuyCount,
      market_total_bought: details.marketTotalBought,
      market_avg_price: details.marketAvgPrice,
      position_shares: details.positionShares,
      position_known: details.isPositionKnown,
      to_win_usdc: details.toWinUsdc,
      role: details.role ?? null,
      ...(wallets !== undefined && { wallets: [...wallets] }),
      ...(clusterTotal !== undefined && { cluster_total: clusterTotal }),
      ...(clusterShares !== undefined && { cluster_shares: clusterShares }),
      ...(clusterAvgPrice !== undefined && { cluster_avg_price: clusterAvgPrice }),
      reasons: details.reasons.map(({ factor, points, max, note }) => ({ factor, points, max, note })),
      rule_version: details.ruleVersion,
      thread_id: alert.threadId,
      supersedes: alert.supersedes,
      traded_at: iso(alert.tradedAt),
      detected_at: iso(alert.detectedAt),
      published_at: iso(alert.publishedAt),
    },
  };
}

/** What an entry states beyond what the API publishes: all that the functions of an alert need. */
function entryBody(alert: Alert) {
  const { details, ...facts } = publishedFacts(alert);
  return {
    ...facts,
    market_event: alert.marketEvent,
    outcome_index: alert.outcomeIndex,
    shares: alert.shares,
    is_history: alert.isHistory,
    details: { ...details, held_share: alert.details.heldShare },
  } satisfies JsonObject;
}

type EntryBody = ReturnType<typeof entryBody>;

/** The entry of an alert, which is found by its key. */
export function alertDraft(alert: Alert): LogDraft {
  return { kind: 'alert', key: alert.key, at: alert.createdAt, body: entryBody(alert) };
}

/** The alert of an entry, as it was published: without a result, and not withdrawn. */
export function alertOfEntry({ key, seq, hash, body: found }: LogEntry): Alert {
  const body = found as EntryBody;
  const { details } = body;
  // The API's `created_at` has no milliseconds.
  const publishedAt = Date.parse(details.published_at);
  return {
    id: body.id,
    key,
    type: body.alert_type,
    wallet: body.wallet_address,
    marketId: body.market_id,
    eventTitle: body.event_title,
    eventSlug: body.event_slug,
    marketEvent: body.market_event,
    side: body.side,
    outcome: body.outcome,
    outcomeIndex: body.outcome_index,
    entryPrice: body.entry_price,
    usdc: body.usdc_value,
    shares: body.shares,
    score: body.signal_score,
    category: body.category,
    tradeCount: body.trade_count,
    tradedAt: Date.parse(details.traded_at),
    detectedAt: Date.parse(details.detected_at),
    publishedAt,
    createdAt: publishedAt,
    isHistory: body.is_history,
    threadId: details.thread_id,
    supersedes: details.supersedes,
    resolution: null,
    withdrawn: null,
    log: { seq, hash },
    details: detailsOf(details),
  };
}

function detailsOf(details: EntryBody['details']): AlertDetails {
  const { wallets, cluster_total, cluster_shares, cluster_avg_price } = details;
  return {
    walletAgeDays: details.wallet_age_days,
    isAccumulating: details.is_accumulating,
    marketBuyCount: details.market_buy_count,
    marketTotalBought: details.market_total_bought,
    marketAvgPrice: details.market_avg_price,
    positionShares: details.position_shares,
    heldShare: details.held_share,
    toWinUsdc: details.to_win_usdc,
    isPositionKnown: details.position_known,
    role: details.role,
    ...(wallets !== undefined && { wallets }),
    ...(cluster_total !== undefined && { clusterTotal: cluster_total }),
    ...(cluster_shares !== undefined && { clusterShares: cluster_shares }),
    ...(cluster_avg_price !== undefined && { clusterAvgPrice: cluster_avg_price }),
    reasons: details.reasons as readonly ScorePart[],
    ruleVersion: details.rule_version,
  };
}
