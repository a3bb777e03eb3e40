import { rounded } from '../../base/rounded.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { AlertPreview, AlertStats, HotMarket, MarketMatches, RankedField } from '../alert-store.ts';
import type { AlertIndex } from './alert-index.ts';
import { fromMicros } from './facets.ts';
import type { IndexedMarket } from './settlement-history.ts';
import type { Walk } from './walk.ts';

const CENTS = 100;

/** A page of the matches of a walk, in the order in which they are asked for. */
interface PageWindow {
  readonly skip: number;
  readonly limit: number;
  readonly isOldestFirst: boolean;
}

/** The ids of a part of the matches, in the order that is asked for, and the number of all. */
export function pageOf({ ids }: Walk, { skip, limit, isOldestFirst }: PageWindow) {
  const total = ids.length;
  const end = Math.max(0, total - skip);
  const page = isOldestFirst
    ? ids.slice(Math.max(0, end - limit), end).reverse()
    : ids.slice(skip, skip + limit);
  return { ids: [...page], total };
}

/** The ids of the matches with the highest values, of equal ones the newest first, and the number of all. */
export function highestOf(
  { ids }: Walk,
  { columns: { scores, putInUsdc } }: AlertIndex,
  { highest, skip, limit }: { readonly highest: RankedField } & Omit<PageWindow, 'isOldestFirst'>,
) {
  const values = highest === 'score' ? scores : putInUsdc;
  const best: { readonly id: number; readonly value: number }[] = [];
  for (const id of ids) {
    const value = values[id - 1] as number;
    // The newest comes first: an equal one that comes later is older.
    if (best.length === skip + limit && value <= (best.at(-1)?.value ?? value)) continue;
    const place = best.findIndex((other) => other.value < value);
    best.splice(place < 0 ? best.length : place, 0, { id, value });
    if (best.length > skip + limit) best.pop();
  }
  return { ids: best.slice(skip).map(({ id }) => id), total: ids.length };
}

/** The matches of a market. */
type MarketSums = Pick<HotMarket, 'marketId' | 'alertCount' | 'avgScore' | 'totalUsdc' | 'newestId'> & {
  readonly won: number;
};

/** The matches of each market, those with the newest first. */
export function sumsByMarket(walk: Walk, index: AlertIndex): readonly MarketSums[] {
  const { scores } = index.columns;
  const groups = new Map<
    IndexedMarket,
    { newestId: number; alertCount: number; scores: number; cents: number; won: number }
  >();
  for (const id of walk.ids) {
    const market = index.marketOf(id);
    const group = groups.get(market) ?? { newestId: id, alertCount: 0, scores: 0, cents: 0, won: 0 };
    if (group.alertCount === 0) groups.set(market, group);
    group.alertCount += 1;
    group.scores += scores[id - 1] as number;
    group.cents += walk.cents(id);
    if (walk.won(id) === true) group.won += 1;
  }
  return Array.from(groups, ([market, { newestId, alertCount, won, ...sums }]) => ({
    marketId: market.id,
    newestId,
    alertCount,
    won,
    avgScore: sums.scores / alertCount,
    totalUsdc: sums.cents / CENTS,
  }));
}

/** The first by a metric, descending; ties by market id. */
export function topOf(
  markets: readonly MarketSums[],
  metric: 'alertCount' | 'avgScore' | 'totalUsdc',
  limit: number,
): readonly MarketSums[] {
  return markets
    .toSorted((a, b) => b[metric] - a[metric] || (a.marketId < b.marketId ? -1 : 1))
    .slice(0, limit);
}

/** The same, as `AlertReads.matching` gives it. */
export function matchesOf(market: MarketSums): MarketMatches {
  const { marketId, alertCount: total, totalUsdc: usdc, won, newestId: newest } = market;
  return { marketId, total, usdc, won, newest };
}

/** Of every alert that exists for the caller; `firstToday`: the id of the first one of the day. */
export function statsOf(walk: Walk, firstToday: number, { columns, kinds }: AlertIndex): AlertStats {
  let [totalResolved, totalWon] = [0, 0];
  let [alertsToday, scores, clustersToday] = [0, 0, 0];
  for (const id of walk.ids) {
    const won = walk.won(id);
    if (won !== null) totalResolved += 1;
    if (won === true) totalWon += 1;
    if (id < firstToday) continue;
    alertsToday += 1;
    scores += columns.scores[id - 1] as number;
    if (kinds[columns.kinds[id - 1] as number]?.type === 'cluster') clustersToday += 1;
  }
  const avgScoreToday = alertsToday === 0 ? 0 : scores / alertsToday;
  return {
    totalAlerts: walk.ids.length,
    alertsToday,
    avgScoreToday,
    clustersToday,
    totalResolved,
    totalWon,
  };
}

/** The matches of a window; `newest`: the ids of that many. */
export function previewOf(
  walk: Walk,
  index: AlertIndex,
  { newest, ...window }: { readonly since: EpochMs; readonly until: EpochMs; readonly newest: number },
): Omit<AlertPreview, 'newest'> & { readonly newest: readonly number[] } {
  const daily = daysOf(window).map((dayStart) => ({ dayStart, alerts: 0 }));
  const firstDay = daily[0]?.dayStart ?? 0;
  const markets = new Map<IndexedMarket, { resolved: number; won: number; micros: number }>();
  for (const id of walk.ids) {
    const day = daily[Math.floor(((index.columns.createdAt[id - 1] as number) - firstDay) / DAY_MS)];
    if (day !== undefined) day.alerts += 1;
    const won = walk.won(id);
    if (won === null) continue;
    const market = index.marketOf(id);
    const sums = markets.get(market) ?? { resolved: 0, won: 0, micros: 0 };
    if (sums.resolved === 0) markets.set(market, sums);
    sums.resolved += 1;
    sums.won += Number(won);
    sums.micros += walk.entryMicros(id);
  }
  const settled = Array.from(markets.values(), ({ micros, ...market }) => ({
    ...market,
    entrySum: fromMicros(micros),
  }));
  const sums = sumOf(settled);
  return {
    total: walk.ids.length,
    daily,
    ...sums,
    entrySum: rounded(sums.entrySum, 6),
    markets: { ...sumOf(settled.map(meansOf)), resolved: settled.length },
    newest: [...walk.ids.slice(0, newest)],
  };
}

/** The beginnings of the UTC days that the window touches. */
function daysOf({ since, until }: { readonly since: EpochMs; readonly until: EpochMs }): EpochMs[] {
  const first = Math.floor(since / DAY_MS) * DAY_MS;
  const count = since > until ? 0 : Math.floor((until - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Resolved matches; entries in USDC a share, exact to 6 decimals. */
interface SettledSums {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

/** Each market counts once, by the mean of its alerts. */
function meansOf({ resolved, won, entrySum }: SettledSums): SettledSums {
  return { resolved: 1, won: won / resolved, entrySum: entrySum / resolved };
}

function sumOf(all: readonly SettledSums[]): SettledSums {
  const sum = (field: keyof SettledSums) => all.reduce((total, each) => total + each[field], 0);
  return { resolved: sum('resolved'), won: sum('won'), entrySum: sum('entrySum') };
}
