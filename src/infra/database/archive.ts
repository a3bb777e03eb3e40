import type { Alert } from '../../core/alerts/alert.ts';
import type { AlertFilter, AlertPage, AlertStore } from '../../core/alerts/alert-store.ts';
import { rounded } from '../../core/rounded.ts';
import type { ArchiveQueries, Criteria, IdRange } from './archive-queries.ts';
import { FilterTotals } from './filter-totals.ts';
import { previewOf } from './preview.ts';
import { rankMarkets } from './rank-markets.ts';

/** The alert store's long reads. */
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

/** The long reads, written once for both databases. */
export class QueryArchive<Listing> implements Archive {
  readonly #queries: ArchiveQueries<Listing>;
  readonly #totals: FilterTotals;

  constructor(queries: ArchiveQueries<Listing>, totals = new FilterTotals()) {
    this.#queries = queries;
    this.#totals = totals;
  }

  readonly search: Archive['search'] = async (filter, { page, pageSize }) => {
    const queries = this.#queries;
    const skip = (page - 1) * pageSize;
    // The range comes before the listings: every alert within it then has its listing among them.
    const range = await this.#idRange(filter);
    const { criteria, name } = await this.#criteriaOf(filter);
    if (name === null) return this.#denseRange(range, skip, pageSize);
    const options = { dependsOnResolution: criteria.isResolved !== undefined };
    const { total, ids } = await this.#totals.known(name, options, range, {
      counts: (part, blockSize) => queries.counts(criteria, part, blockSize),
      ids: (part, of) => queries.ids(criteria, part, of),
    });
    return { alerts: await this.#newestFirst(await ids({ skip, limit: pageSize })), total };
  };

  readonly hotMarkets: Archive['hotMarkets'] = async ({ limit, category, ...window }) => {
    const groups = await this.#queries.groups(await this.#idRange(window), category);
    return rankMarkets(groups, limit, this.#queries.load);
  };

  readonly stats: Archive['stats'] = async ({ dayStart, ...bound }) => {
    const today = await this.#idRange({ since: dayStart, ...bound });
    const { scoreSum, clusters } = await this.#queries.summary(today);
    const isBounded = bound.until !== undefined;
    const { resolved, won } = await (isBounded
      ? this.#totalsUpTo(today.upto)
      : this.#queries.resolutionTotals());
    const alertsToday = today.upto - today.after;
    return {
      totalAlerts: today.upto,
      alertsToday,
      avgScoreToday: alertsToday === 0 ? 0 : rounded(scoreSum, 6) / alertsToday,
      clustersToday: clusters,
      totalResolved: resolved,
      totalWon: won,
    };
  };

  readonly preview: Archive['preview'] = async (filter, { newest }) => {
    const range = await this.#idRange(filter);
    const { criteria } = await this.#criteriaOf(filter);
    return previewOf(this.#queries, { criteria, range, window: filter, newest });
  };

  readonly forgetResolved = (): void => this.#totals.forgetResolved();

  /** The conditions of a filter, and its cache key: equal for equal filters, null when it matches every alert. */
  async #criteriaOf({ since: _since, until: _until, search, ...rest }: AlertFilter) {
    const text = search === undefined || search === '' ? null : search.toLowerCase();
    const isSet = text !== null || Object.values(rest).some((value) => value !== undefined);
    const criteria: Criteria<Listing> =
      text === null ? rest : { ...rest, text: await this.#queries.matchText(text) };
    return { criteria, name: isSet ? filterText(rest, text) : null };
  }

  /** Without a filter no query is needed: ids have no gaps. */
  async #denseRange({ after, upto }: IdRange, skip: number, pageSize: number): Promise<AlertPage> {
    const total = Math.max(0, upto - after);
    const length = Math.max(0, Math.min(pageSize, total - skip));
    const ids = Array.from({ length }, (_, index) => upto - skip - index);
    return { alerts: await this.#newestFirst(ids), total };
  }

  async #newestFirst(ids: readonly number[]): Promise<Alert[]> {
    return ids.length === 0 ? [] : (await this.#queries.load(ids)).sort((a, b) => b.id - a.id);
  }

  async #idRange({ since, until }: Pick<AlertFilter, 'since' | 'until'>): Promise<IdRange> {
    const { lastId, lastIdBefore } = this.#queries;
    const upto = await (until === undefined ? lastId() : lastIdBefore(Math.floor(until) + 1));
    const after = since === undefined ? 0 : await lastIdBefore(since);
    return { after: Math.min(after, upto), upto };
  }

  /**
   * Resolution totals without the alerts after this id. Those are counted last: an alert is written before the totals
   * that include it, so none of them is left in. While a market is being resolved the result may be too low for a moment.
   */
  async #totalsUpTo(upto: number): Promise<{ resolved: number; won: number }> {
    const all = await this.#queries.resolutionTotals();
    const later = { after: upto, upto: await this.#queries.lastId() };
    const [counts] = later.upto > upto ? await this.#queries.matchCounts({}, [later]) : [];
    const resolved = Math.max(0, all.resolved - (counts?.resolved ?? 0));
    return { resolved, won: Math.min(resolved, Math.max(0, all.won - (counts?.won ?? 0))) };
  }
}

function filterText(rest: Omit<AlertFilter, 'since' | 'until' | 'search'>, text: string | null): string {
  const { categories, side, type, minUsdc, minScore, isResolved } = rest;
  return JSON.stringify([categories?.toSorted(), side, type, minUsdc, minScore, isResolved, text]);
}
