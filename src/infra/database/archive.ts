import type { Alert } from '../../core/alerts/alert.ts';
import type { AlertFilter, AlertPage, AlertStats, AlertStore } from '../../core/alerts/alert-store.ts';
import { rounded } from '../../core/rounded.ts';
import type { ArchiveQueries, Criteria, IdRange } from './archive-queries.ts';
import { createFilterTotals, type FilterTotals } from './filter-totals.ts';
import { previewOf } from './preview.ts';
import { rankMarkets } from './rank-markets.ts';

/** The alert store's long reads, written once for both databases. */
export interface Archive extends Pick<AlertStore, 'search' | 'hotMarkets' | 'stats' | 'preview'> {
  /** Must be called after a resolution was written. */
  forgetResolved(): void;
}

/** The alert store's methods that involve the archive. Resolving a market invalidates what the archive has counted. */
export function archiveMethods(
  { search, hotMarkets, stats, preview, forgetResolved }: Archive,
  resolveMarket: AlertStore['resolveMarket'],
): Pick<AlertStore, 'search' | 'hotMarkets' | 'stats' | 'preview' | 'resolveMarket'> {
  return {
    ...{ search, hotMarkets, stats, preview },
    async resolveMarket(marketId, resolve) {
      const counted = await resolveMarket(marketId, resolve);
      forgetResolved();
      return counted;
    },
  };
}

export function createArchive<Listing>(
  queries: ArchiveQueries<Listing>,
  totals: FilterTotals = createFilterTotals(),
): Archive {
  return {
    search: (filter, page) => search(queries, totals, filter, page),
    async hotMarkets({ limit, category, ...window }) {
      const groups = await queries.groups(await idRange(queries, window), category);
      return rankMarkets(groups, limit, queries.load);
    },
    stats: (query) => stats(queries, query),
    async preview(filter, { newest }) {
      const range = await idRange(queries, filter);
      const { criteria } = await criteriaOf(queries, filter);
      return previewOf(queries, { criteria, range, window: filter, newest });
    },
    forgetResolved: totals.forgetResolved,
  };
}

async function search<Listing>(
  queries: ArchiveQueries<Listing>,
  totals: FilterTotals,
  filter: AlertFilter,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<AlertPage> {
  const skip = (page - 1) * pageSize;
  // The range comes before the listings: every alert within it then has its listing among them.
  const range = await idRange(queries, filter);
  const { criteria, name } = await criteriaOf(queries, filter);
  if (name === null) return denseRange(queries, range, skip, pageSize);
  const options = { dependsOnResolution: criteria.isResolved !== undefined };
  const { total, ids } = await totals.known(name, options, range, {
    counts: (part, blockSize) => queries.counts(criteria, part, blockSize),
    ids: (part, of) => queries.ids(criteria, part, of),
  });
  return { alerts: await newestFirst(queries, await ids({ skip, limit: pageSize })), total };
}

/** The conditions of a filter, and its cache key: equal for equal filters, null when it matches every alert. */
async function criteriaOf<Listing>(
  queries: ArchiveQueries<Listing>,
  { since: _since, until: _until, search, ...rest }: AlertFilter,
): Promise<{ criteria: Criteria<Listing>; name: string | null }> {
  const text = search === undefined || search === '' ? null : search.toLowerCase();
  const isSet = text !== null || Object.values(rest).some((value) => value !== undefined);
  const criteria = text === null ? rest : { ...rest, text: await queries.matchText(text) };
  return { criteria, name: isSet ? filterText(rest, text) : null };
}

/** Without a filter no query is needed: ids have no gaps. */
async function denseRange<Listing>(
  queries: ArchiveQueries<Listing>,
  { after, upto }: IdRange,
  skip: number,
  pageSize: number,
): Promise<AlertPage> {
  const total = Math.max(0, upto - after);
  const length = Math.max(0, Math.min(pageSize, total - skip));
  const ids = Array.from({ length }, (_, index) => upto - skip - index);
  return { alerts: await newestFirst(queries, ids), total };
}

async function newestFirst<Listing>(
  queries: ArchiveQueries<Listing>,
  ids: readonly number[],
): Promise<Alert[]> {
  if (ids.length === 0) return [];
  return (await queries.load(ids)).sort((a, b) => b.id - a.id);
}

async function idRange<Listing>(
  queries: ArchiveQueries<Listing>,
  { since, until }: Pick<AlertFilter, 'since' | 'until'>,
): Promise<IdRange> {
  const upto =
    until === undefined ? await queries.lastId() : await queries.lastIdBefore(Math.floor(until) + 1);
  const after = since === undefined ? 0 : await queries.lastIdBefore(since);
  return { after: Math.min(after, upto), upto };
}

function filterText(rest: Omit<AlertFilter, 'since' | 'until' | 'search'>, text: string | null): string {
  const { categories, side, type, minUsdc, minScore, isResolved } = rest;
  return JSON.stringify([categories?.toSorted(), side, type, minUsdc, minScore, isResolved, text]);
}

async function stats<Listing>(
  queries: ArchiveQueries<Listing>,
  { dayStart, ...bound }: Parameters<AlertStore['stats']>[0],
): Promise<AlertStats> {
  const today = await idRange(queries, { since: dayStart, ...bound });
  const { scoreSum, clusters } = await queries.summary(today);
  const { resolved, won } =
    bound.until === undefined ? await queries.resolutionTotals() : await totalsUpTo(queries, today.upto);
  const alertsToday = today.upto - today.after;
  return {
    totalAlerts: today.upto,
    alertsToday,
    avgScoreToday: alertsToday === 0 ? 0 : rounded(scoreSum, 6) / alertsToday,
    clustersToday: clusters,
    totalResolved: resolved,
    totalWon: won,
  };
}

/**
 * Resolution totals without the alerts after this id. Those are counted last: an alert is written before the totals
 * that include it, so none of them is left in. While a market is being resolved the result may be too low for a moment.
 */
async function totalsUpTo<Listing>(
  queries: ArchiveQueries<Listing>,
  upto: number,
): Promise<{ resolved: number; won: number }> {
  const all = await queries.resolutionTotals();
  const later = { after: upto, upto: await queries.lastId() };
  const [counts] = later.upto > upto ? await queries.matchCounts({}, [later]) : [];
  const resolved = Math.max(0, all.resolved - (counts?.resolved ?? 0));
  return { resolved, won: Math.min(resolved, Math.max(0, all.won - (counts?.won ?? 0))) };
}
