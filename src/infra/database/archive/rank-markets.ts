import type { Alert } from '../../../core/alerts/alert.ts';
import type { HotMarket, HotMarkets } from '../../../core/alerts/alert-store.ts';
import { rounded } from '../../../core/base/rounded.ts';

/** The alerts of one market in a window, summed up. */
export interface MarketGroup {
  readonly marketId: string;
  readonly alertCount: number;
  readonly scoreSum: number;
  readonly usdcSum: number;
  readonly latestId: number;
}

interface Ranked {
  readonly group: MarketGroup;
  readonly alertCount: number;
  readonly avgScore: number;
  readonly totalUsdc: number;
}

type Metric = 'alertCount' | 'avgScore' | 'totalUsdc';

/** The best markets by each metric; `load` fetches the alerts that give the winners their texts. */
export async function rankMarkets(
  groups: readonly MarketGroup[],
  limit: number,
  load: (ids: number[]) => Promise<Alert[]>,
): Promise<HotMarkets> {
  const ranked = merged(groups).map(withMetrics);
  const best = {
    mostAlerts: top(ranked, 'alertCount', limit),
    highestSignal: top(ranked, 'avgScore', limit),
    biggestTrades: top(ranked, 'totalUsdc', limit),
  };
  const latestIds = new Set(Object.values(best).flatMap((list) => list.map(({ group }) => group.latestId)));
  const alerts = new Map((await load([...latestIds])).map((alert) => [alert.id, alert]));
  const describe = (list: readonly Ranked[]) => list.flatMap((entry) => toHotMarket(entry, alerts));
  return {
    mostAlerts: describe(best.mostAlerts),
    highestSignal: describe(best.highestSignal),
    biggestTrades: describe(best.biggestTrades),
  };
}

/** A market whose texts changed comes in several groups. */
function merged(groups: readonly MarketGroup[]): MarketGroup[] {
  const byMarket = new Map<string, MarketGroup>();
  for (const group of groups) {
    const other = byMarket.get(group.marketId);
    byMarket.set(group.marketId, other === undefined ? group : joined(group, other));
  }
  return [...byMarket.values()];
}

function joined(one: MarketGroup, other: MarketGroup): MarketGroup {
  return {
    marketId: one.marketId,
    alertCount: one.alertCount + other.alertCount,
    scoreSum: one.scoreSum + other.scoreSum,
    usdcSum: one.usdcSum + other.usdcSum,
    latestId: Math.max(one.latestId, other.latestId),
  };
}

function withMetrics(group: MarketGroup): Ranked {
  const { alertCount, scoreSum, usdcSum } = group;
  return { group, alertCount, avgScore: rounded(scoreSum, 6) / alertCount, totalUsdc: rounded(usdcSum, 2) };
}

function top(ranked: readonly Ranked[], metric: Metric, limit: number): Ranked[] {
  const descending = (a: Ranked, b: Ranked) =>
    b[metric] - a[metric] || (a.group.marketId < b.group.marketId ? -1 : 1);
  return ranked.toSorted(descending).slice(0, limit);
}

function toHotMarket({ group, ...metrics }: Ranked, alerts: ReadonlyMap<number, Alert>): HotMarket[] {
  const latest = alerts.get(group.latestId);
  if (latest === undefined) return [];
  const { marketId, eventTitle, eventSlug, category, createdAt } = latest;
  return [{ marketId, eventTitle, eventSlug, category, ...metrics, latestAlertAt: createdAt }];
}
