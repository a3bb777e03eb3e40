import { LRUCache } from 'lru-cache';
import type {
  AlertFilter,
  AlertPage,
  AlertStore,
  AlertSummary,
  PageQuery,
  RankedField,
} from '../../../core/alerts/alert-store.ts';
import type { Criteria } from '../../../core/alerts/passes-filter.ts';
import { canonicalJson } from '../../../core/base/text/canonical-json.ts';
import { ArchiveIndex, type ArchiveOptions } from './archive-index.ts';
import type { ArchiveSource, IdRange } from './archive-source.ts';
import { dayStats, daysOf, matchesIn, previewOf } from './archive-sums.ts';
import { fromNewest, KnownFilter, type PageWindow } from './known-filter.ts';
import { LedgerReports } from './ledger-reports.ts';
import { Matcher } from './matcher.ts';
import { NamedAlerts, textsOf } from './named-alerts.ts';
import { highestMatches, marketGroups, rankMarkets } from './rank-markets.ts';
import { TimeSlices } from './time-slices.ts';

/** Filters whose counts are kept: 4 KB each per million alerts. */
const FILTERS_MAX = 500;
/** Texts of which it is kept what they name: 1.2 bytes per listing each. */
const TEXTS_MAX = 100;

/** The alert store's long reads. */
const READS = [
  ...(['search', 'summaries', 'hotMarkets', 'stats', 'preview'] as const),
  ...(['matching', 'walletReport', 'marketReport', 'marketOfSlug', 'marketsNamed', 'walletsNamed'] as const),
] as const;
export type Archive = Pick<AlertStore, (typeof READS)[number]>;

/** The long reads, each made by its name. */
export function archiveReads(make: (name: (typeof READS)[number]) => unknown): Archive {
  return Object.fromEntries(READS.map((name) => [name, make(name)])) as unknown as Archive;
}

/** The long reads, written once for both databases: what they look at is in memory, and the database gives the alerts of a page. */
export class ColumnArchive implements Archive {
  readonly #source: ArchiveSource;
  readonly #index: ArchiveIndex;
  readonly #reports: LedgerReports;
  readonly #filters = new LRUCache<string, KnownFilter>({ max: FILTERS_MAX });
  readonly #texts = new LRUCache<string, NamedAlerts>({ max: TEXTS_MAX });

  constructor(source: ArchiveSource, options?: ArchiveOptions) {
    this.#source = source;
    this.#index = new ArchiveIndex(source, options);
    this.#reports = new LedgerReports(source);
  }

  close(): Promise<void> {
    return this.#index.close();
  }

  readonly search: Archive['search'] = (filter, page) =>
    this.#search(filter, page, (ids) => this.#source.load(ids));

  readonly summaries: Archive['summaries'] = (filter, page) =>
    this.#search(filter, page, (ids) => this.#source.loadSummaries(ids));

  async #search<Shown extends { readonly id: number }>(
    filter: AlertFilter,
    { page, pageSize, isOldestFirst = false, highest }: PageQuery,
    load: Load<Shown>,
  ): Promise<AlertPage<Shown>> {
    const asked: PageWindow = { skip: (page - 1) * pageSize, limit: pageSize, isOldestFirst };
    const range = await this.#idRange(filter);
    const { ids, total } = await (highest === undefined
      ? this.#find(range, criteriaOf(filter), asked)
      : this.#rank(range, criteriaOf(filter), { ...asked, highest }));
    return { alerts: await inOrder(isOldestFirst ? ids.toReversed() : ids, load), total };
  }

  async #find(range: IdRange, criteria: Criteria, asked: PageWindow) {
    const name = nameOf(criteria);
    if (name === null) return denseRange(range, asked);
    const slices = new TimeSlices();
    await this.#index.read(range);
    if (criteria.isResolved !== undefined) await this.#index.readSettlements();
    const known = this.#filters.get(name) ?? new KnownFilter(this.#index.columns, this.#matcherOf(criteria));
    this.#filters.set(name, known);
    await known.matcher.readNamed(slices);
    return known.find(range, asked, slices);
  }

  async #rank(
    range: IdRange,
    criteria: Criteria,
    { skip, limit, highest }: PageWindow & { readonly highest: RankedField },
  ) {
    await this.#index.read(range);
    if (criteria.isResolved !== undefined) await this.#index.readSettlements();
    const matcher = this.#matcherOf(criteria);
    await matcher.readNamed(new TimeSlices());
    const { ids, total } = await highestMatches(this.#index, range, {
      matcher,
      highest,
      limit: skip + limit,
    });
    return { ids: ids.slice(skip), total };
  }

  readonly hotMarkets: Archive['hotMarkets'] = async ({ limit, ...filter }) => {
    const range = await this.#idRange(filter);
    await this.#index.read(range);
    if (filter.isResolved !== undefined) await this.#index.readSettlements();
    const matcher = this.#matcherOf(criteriaOf(filter));
    return rankMarkets(await marketGroups(this.#index, range, matcher), limit, (ids) =>
      this.#source.load(ids),
    );
  };

  readonly stats: Archive['stats'] = async ({ dayStart, ...bound }) => {
    const today = await this.#idRange({ since: dayStart, ...bound });
    await this.#index.read(today);
    const { scoreSum, clusters } = await dayStats(this.#index, today, this.#matcherOf({}));
    const isBounded = bound.until !== undefined;
    const { resolved, won } = await (isBounded
      ? this.#totalsUpTo(today.upto)
      : this.#source.settlements.totals());
    const alertsToday = today.upto - today.after;
    return {
      totalAlerts: today.upto,
      alertsToday,
      avgScoreToday: alertsToday === 0 ? 0 : scoreSum / alertsToday,
      clustersToday: clusters,
      totalResolved: resolved,
      totalWon: won,
    };
  };

  readonly preview: Archive['preview'] = async (filter, { newest }) => {
    const range = await this.#idRange(filter);
    const days = daysOf(filter);
    const ends = await Promise.all(days.slice(1).map(async (day) => this.#source.lastIdBefore(day)));
    await this.#index.read(range);
    await this.#index.readSettlements();
    const matcher = this.#matcherOf(criteriaOf(filter));
    await matcher.readNamed(new TimeSlices());
    const preview = await previewOf(this.#index, range, { matcher, days, dayEnds: ends, newest });
    const load: Load<AlertSummary> = (ids) => this.#source.loadSummaries(ids);
    return { ...preview, newest: await inOrder(preview.newest, load) };
  };

  readonly matching: Archive['matching'] = async (filter, { ids, marketIds }) => {
    const range = await this.#idRange(filter);
    await this.#index.read(range);
    await this.#index.readSettlements();
    const matcher = this.#matcherOf(criteriaOf(filter));
    await matcher.readNamed(new TimeSlices());
    const isIn = (id: number) => id > range.after && id <= range.upto;
    return {
      ids: ids.filter((id) => isIn(id) && matcher.count(this.#index.columns.partOf(id)) === 1),
      markets: marketIds.length === 0 ? [] : await matchesIn(this.#index, range, { matcher, marketIds }),
    };
  };

  readonly walletReport: Archive['walletReport'] = (wallet, query) => this.#reports.wallet(wallet, query);

  readonly marketReport: Archive['marketReport'] = (marketId, query) => this.#reports.market(marketId, query);

  readonly marketOfSlug: Archive['marketOfSlug'] = async (slug, bound) => {
    const range = await this.#idRange(bound);
    await this.#index.read(range);
    const found = this.#index.listings.marketsOfSlug(slug.toLowerCase().toWellFormed());
    return (await this.#newestFirst([...found], range))[0] ?? null;
  };

  readonly marketsNamed: Archive['marketsNamed'] = async (text, { limit, ...bound }) => {
    const range = await this.#idRange(bound);
    await this.#index.read(range);
    const found = await this.#index.listings.marketsNamed(text.toLowerCase().toWellFormed());
    return (await this.#newestFirst(found, range)).slice(0, limit);
  };

  readonly walletsNamed: Archive['walletsNamed'] = (ends, bound) => this.#reports.walletsNamed(ends, bound);

  /** Those of the markets that have alerts in a range, by their newest ones. */
  async #newestFirst(markets: readonly string[], { upto }: IdRange): Promise<readonly string[]> {
    const newest = await Promise.all(
      markets.map(async (marketId) => {
        const ids = await this.#source.ofMarket(marketId);
        return { marketId, id: ids.findLast((id) => id <= upto) ?? 0 };
      }),
    );
    return newest
      .filter(({ id }) => id > 0)
      .sort((a, b) => b.id - a.id)
      .map(({ marketId }) => marketId);
  }

  #matcherOf(criteria: Criteria): Matcher {
    const named = textsOf(criteria).map(([naming, text]) => {
      const key = `${naming} ${text}`;
      const known =
        this.#texts.get(key) ?? new NamedAlerts([naming, text], this.#index.listings, this.#source);
      this.#texts.set(key, known);
      return known;
    });
    return new Matcher(criteria, this.#index.columns, named);
  }

  async #idRange({ since, until, afterId = 0, beforeId }: IdBounds): Promise<IdRange> {
    const source = this.#source;
    const last = await (until === undefined ? source.lastId() : source.lastIdBefore(Math.floor(until) + 1));
    const upto = beforeId === undefined ? last : Math.min(last, beforeId - 1);
    const after = since === undefined ? 0 : await source.lastIdBefore(since);
    return { after: Math.min(Math.max(after, afterId), upto), upto };
  }

  /**
   * Resolution totals without the alerts after this id. Those are counted last: an alert is written before the totals
   * that include it, so none of them is left in. While a market is being resolved the result may be too low for a moment.
   */
  async #totalsUpTo(upto: number): Promise<{ resolved: number; won: number }> {
    const all = await this.#source.settlements.totals();
    const later = { after: upto, upto: await this.#source.lastId() };
    await this.#index.read(later);
    await this.#index.readSettlements();
    const counts = await dayStats(this.#index, later, this.#matcherOf({}));
    const resolved = Math.max(0, all.resolved - counts.resolved);
    return { resolved, won: Math.min(resolved, Math.max(0, all.won - counts.won)) };
  }
}

/** Without a filter no count is needed: ids have no gaps. */
function denseRange({ after, upto }: IdRange, asked: PageWindow) {
  const total = Math.max(0, upto - after);
  const { skip, limit } = fromNewest(asked, total);
  const length = Math.max(0, Math.min(limit, total - skip));
  return { ids: Array.from({ length }, (_, index) => upto - skip - index), total };
}

type Load<Shown> = (ids: readonly number[]) => Promise<Shown[]>;

async function inOrder<Shown extends { readonly id: number }>(
  ids: readonly number[],
  load: Load<Shown>,
): Promise<readonly Shown[]> {
  if (ids.length === 0) return [];
  const found = new Map((await load(ids)).map((alert) => [alert.id, alert]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

type IdBounds = Pick<AlertFilter, 'since' | 'until' | 'afterId' | 'beforeId'>;

function criteriaOf(filter: AlertFilter): Criteria {
  const { since: _since, until: _until, afterId: _after, beforeId: _before, search, ...rest } = filter;
  return search === undefined || search === '' ? rest : { ...rest, search: search.toLowerCase() };
}

/** The same for equal filters; null for one that every alert matches. */
function nameOf(criteria: Criteria): string | null {
  const set = Object.entries(criteria).filter(([, value]) => value !== undefined);
  if (set.length === 0) return null;
  return canonicalJson(
    Object.fromEntries(set.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])),
  );
}
