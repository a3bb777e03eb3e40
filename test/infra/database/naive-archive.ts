import type { Alert } from '../../../src/core/alerts/alert.ts';
import type {
  AlertFilter,
  AlertPage,
  HotMarket,
  HotMarkets,
  PageQuery,
} from '../../../src/core/alerts/alert-store.ts';
import { betOf, putInOf } from '../../../src/core/alerts/bet.ts';
import { passesFilter } from '../../../src/core/alerts/passes-filter.ts';

export function naiveSearch(
  alerts: readonly Alert[],
  filter: AlertFilter,
  { page, pageSize, isOldestFirst = false, highest }: PageQuery,
): AlertPage {
  const matching = alerts.filter((alert) => matches(alert, filter, alerts));
  const newest = matching.toReversed();
  const value = (alert: Alert) =>
    highest === 'score' || highest === undefined ? alert.score : betOf(alert)[highest];
  const ranked = () => newest.toSorted((a, b) => (value(a) === value(b) ? 0 : value(b) - value(a)));
  const found = highest !== undefined ? ranked() : isOldestFirst ? matching : newest;
  return { alerts: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
}

/** What `matching` finds among all alerts and markets, by market id. */
export function naiveMatching(alerts: readonly Alert[], filter: AlertFilter) {
  const found = alerts.filter((alert) => matches(alert, filter, alerts));
  const markets = [...Map.groupBy(found, ({ marketId }) => marketId)].map(([marketId, group]) => ({
    ...{ marketId, total: group.length, newest: group.at(-1)?.id ?? 0 },
    won: group.filter(({ resolution }) => resolution?.won === true).length,
    usdc: usdcOf(group, filter.isPerBet),
  }));
  return { ids: found.map(({ id }) => id), markets: byMarket(markets) };
}

export function byMarket<Row extends { readonly marketId: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (one.marketId < other.marketId ? -1 : 1));
}

function matches(alert: Alert, filter: AlertFilter, all: readonly Alert[]): boolean {
  const {
    isPerBet = false,
    isResolved,
    since,
    until,
    afterId = 0,
    beforeId = Number.POSITIVE_INFINITY,
  } = filter;
  return (
    alert.id > afterId &&
    alert.id < beforeId &&
    // So that webhooks get what a search with their filters finds.
    passesFilter(alert, filter) &&
    (isResolved === undefined || (alert.resolution !== null) === isResolved) &&
    (since === undefined || alert.createdAt >= since) &&
    (until === undefined || alert.createdAt <= until) &&
    (!isPerBet || isNewestOfThread(alert, all, until))
  );
}

function isNewestOfThread({ id }: Alert, all: readonly Alert[], until = Number.POSITIVE_INFINITY): boolean {
  return !all.some(({ supersedes, createdAt }) => supersedes === id && createdAt <= until);
}

export function naiveHotMarkets(alerts: readonly Alert[], filter: AlertFilter, limit: number): HotMarkets {
  const { isPerBet = false } = filter;
  const inWindow = alerts.filter((alert) => matches(alert, filter, alerts));
  const markets = Object.values(Object.groupBy(inWindow, ({ marketId }) => marketId)).flatMap((group) =>
    group === undefined ? [] : [toHotMarket(group, isPerBet)],
  );
  const best = (metric: 'alertCount' | 'avgScore' | 'totalUsdc') =>
    markets.toSorted((a, b) => b[metric] - a[metric] || (a.marketId < b.marketId ? -1 : 1)).slice(0, limit);
  return {
    mostAlerts: best('alertCount'),
    highestSignal: best('avgScore'),
    biggestTrades: best('totalUsdc'),
  };
}

function toHotMarket(group: readonly Alert[], isPerBet: boolean): HotMarket {
  const latest = group.at(-1) as Alert;
  return {
    marketId: latest.marketId,
    eventTitle: latest.eventTitle,
    eventSlug: latest.eventSlug,
    marketEvent: latest.marketEvent,
    category: latest.category,
    alertCount: group.length,
    avgScore: group.reduce((sum, { score }) => sum + score, 0) / group.length,
    totalUsdc: usdcOf(group, isPerBet),
    latestAlertAt: latest.createdAt,
    newestId: latest.id,
  };
}

function usdcOf(alerts: readonly Alert[], isPerBet = false): number {
  const amountOf = (alert: Alert) => (isPerBet ? putInOf(alert) : alert.usdc);
  return alerts.reduce((sum, alert) => sum + Math.round(amountOf(alert) * 100), 0) / 100;
}
