import type { Alert } from '../../../core/alerts/alert.ts';
import type { HotMarket, HotMarkets, RankedField } from '../../../core/alerts/alert-store.ts';
import type { ColumnBlock } from './alert-columns.ts';
import type { ArchiveIndex } from './archive-index.ts';
import type { IdRange } from './archive-source.ts';
import { visitAll } from './archive-sums.ts';
import type { Matcher } from './matcher.ts';

const CENTS = 100;

interface Group {
  readonly marketId: string;
  readonly latestId: number;
  alertCount: number;
  scoreSum: number;
  /** Exact: `usdc` has no more digits. */
  cents: number;
}

type Ranked = Pick<Group, 'marketId' | 'latestId'> & Pick<HotMarket, Metric>;
type Metric = 'alertCount' | 'avgScore' | 'totalUsdc';

/** The best markets of a range by each metric; `load` fetches the alerts that give the winners their texts. */
export async function rankMarkets(
  groups: readonly Ranked[],
  limit: number,
  load: (ids: number[]) => Promise<Alert[]>,
): Promise<HotMarkets> {
  const best = {
    mostAlerts: top(groups, 'alertCount', limit),
    highestSignal: top(groups, 'avgScore', limit),
    biggestTrades: top(groups, 'totalUsdc', limit),
  };
  const latestIds = new Set(Object.values(best).flatMap((list) => list.map(({ latestId }) => latestId)));
  const alerts = new Map((await load([...latestIds])).map((alert) => [alert.id, alert]));
  const describe = (list: readonly Ranked[]) => list.flatMap((entry) => toHotMarket(entry, alerts));
  return {
    mostAlerts: describe(best.mostAlerts),
    highestSignal: describe(best.highestSignal),
    biggestTrades: describe(best.biggestTrades),
  };
}

/** The markets of the matches of a range. */
export async function marketGroups(index: ArchiveIndex, range: IdRange, matcher: Matcher): Promise<Ranked[]> {
  const groups = new Map<string, Group>();
  const ofListings: (Group | undefined)[] = new Array(index.listings.length);
  const groupOf = (listing: number, id: number): Group => {
    const marketId = index.listings.marketOf(listing);
    // The newest comes first.
    const group = groups.get(marketId) ?? { marketId, latestId: id, alertCount: 0, scoreSum: 0, cents: 0 };
    groups.set(marketId, group);
    ofListings[listing] = group;
    return group;
  };
  await visitAll(index, range, matcher, (block, at, id) => {
    const listing = block.listings[at] as number;
    const group = ofListings[listing] ?? groupOf(listing, id);
    group.alertCount += 1;
    group.scoreSum += block.scores[at] as number;
    group.cents += Math.round((matcher.usdcOf(block)[at] as number) * CENTS);
  });
  return Array.from(groups.values(), ({ scoreSum, cents, ...group }) => ({
    ...group,
    avgScore: scoreSum / group.alertCount,
    totalUsdc: cents / CENTS,
  }));
}

function top(ranked: readonly Ranked[], metric: Metric, limit: number): Ranked[] {
  const descending = (a: Ranked, b: Ranked) => b[metric] - a[metric] || (a.marketId < b.marketId ? -1 : 1);
  return ranked.toSorted(descending).slice(0, limit);
}

function toHotMarket({ latestId, ...figures }: Ranked, alerts: ReadonlyMap<number, Alert>): HotMarket[] {
  const latest = alerts.get(latestId);
  if (latest === undefined) return [];
  const { eventTitle, eventSlug, marketEvent, category, createdAt } = latest;
  const words = { eventTitle, eventSlug, marketEvent, category };
  return [{ ...figures, ...words, latestAlertAt: createdAt, newestId: latestId }];
}

interface RankQuery {
  readonly matcher: Matcher;
  readonly highest: RankedField;
  readonly limit: number;
}

const COLUMNS = {
  score: ({ scores }) => scores,
  putInUsdc: ({ putInUsdc }) => putInUsdc,
} as const satisfies Record<RankedField, (block: ColumnBlock) => ArrayLike<number>>;

/** The matches of a range with the highest values, of equal ones the newest, and the number of all matches. */
export async function highestMatches(
  index: ArchiveIndex,
  range: IdRange,
  { matcher, highest, limit }: RankQuery,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const columnOf = COLUMNS[highest];
  const best: { readonly id: number; readonly value: number }[] = [];
  let total = 0;
  await visitAll(index, range, matcher, (block, at, id) => {
    total += 1;
    const value = columnOf(block)[at] as number;
    // The newest comes first: an equal one that comes later is older.
    if (best.length === limit && value <= (best.at(-1)?.value ?? value)) return;
    const place = best.findIndex((other) => other.value < value);
    best.splice(place < 0 ? best.length : place, 0, { id, value });
    if (best.length > limit) best.pop();
  });
  return { ids: best.map(({ id }) => id), total };
}
