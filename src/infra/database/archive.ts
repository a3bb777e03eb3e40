import type { Alert } from '../../core/alert.ts';
import type { AlertFilter, AlertPage, AlertStats, AlertStore } from '../../core/ports/alert-store.ts';
import type { ArchiveQueries, Criteria, IdRange } from './archive-queries.ts';
import { createFilterTotals, type FilterTotals } from './filter-totals.ts';
import { rankMarkets } from './rank-markets.ts';
import { rounded } from './rounded.ts';

/** The reads of the alert store that can be long, the same over every database. */
export interface Archive extends Pick<AlertStore, 'search' | 'hotMarkets' | 'stats'> {
  /** To be called when a resolution was written. */
  forgetResolved(): void;
}

export function createArchive<Listing>(queries: ArchiveQueries<Listing>): Archive {
  const totals = createFilterTotals();
  return {
    search: (filter, page) => search(queries, totals, filter, page),
    async hotMarkets({ since, limit, category }) {
      const groups = await queries.groups(await idRange(queries, { since }), category);
      return rankMarkets(groups, limit, queries.load);
    },
    stats: (dayStart) => stats(queries, dayStart),
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
  const { since, until, search: text, ...rest } = filter;
  const sought = text === undefined || text === '' ? null : text.toLowerCase();
  if (sought === null && Object.values(rest).every((value) => value === undefined)) {
    return denseRange(queries, range, skip, pageSize);
  }
  const criteria: Criteria<Listing> =
    sought === null ? rest : { ...rest, text: await queries.matchText(sought) };
  const options = { dependsOnResolution: rest.isResolved !== undefined };
  const { total, newest } = await totals.known(filterText(rest, sought), options, range, {
    count: (part) => queries.count(criteria, part),
    ids: (part, limit) => queries.ids(criteria, part, { skip: 0, limit }),
  });
  const limit = Math.max(0, Math.min(pageSize, total - skip));
  const isKnown = skip + limit <= newest.length;
  const ids = isKnown
    ? newest.slice(skip, skip + limit)
    : await queries.ids(criteria, range, { skip, limit });
  return { alerts: await newestFirst(queries, ids), total };
}

/** Without a filter nothing is looked for: ids have no holes. */
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
  const { category, side, type, minUsdc, minScore, isResolved } = rest;
  return JSON.stringify([category, side, type, minUsdc, minScore, isResolved, text]);
}

async function stats<Listing>(queries: ArchiveQueries<Listing>, dayStart: number): Promise<AlertStats> {
  const today = await idRange(queries, { since: dayStart });
  const { scoreSum, clusters } = await queries.summary(today);
  const { resolved, won } = await queries.resolutionTotals();
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
