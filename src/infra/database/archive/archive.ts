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
import { ArchiveIndex, type ArchiveOptions } from './archive-index.ts';
import type { ArchiveSource, IdRange } from './archive-source.ts';
import { dayStats, daysOf, matchesIn, previewOf, visitAll } from './archive-sums.ts';
import { denseRange, fromNewest, KnownFilter, nameOf, type PageWindow } from './known-filter.ts';
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
  'search',
  'summaries',
  'hotMarkets',
  'stats',
  'preview',
  'matching',
  'walletReport',
  'marketReport',
  'marketOfSlug',
  'marketsOfEvent',
  'marketsNamed',
  'walletsNamed',
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
      ? this.#find(range, filter, asked)
      : this.#rank(range, filter, { ...asked, highest }));
    return { alerts: await inOrder(isOldestFirst ? ids.toReversed() : ids, load), total };
  }

  async #find(range: VisibleRange, filter: AlertFilter, asked: PageWindow) {
    const criteria = criteriaOf(filter);
    if (filter.isPerBet === true) return this.#findBets(range, filter, asked);
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

  /** Whether an alert states its bet depends on who asks, so that no count is kept. */
  async #findBets(range: VisibleRange, filter: AlertFilter, asked: PageWindow) {
    const matcher = await this.#matcherIn(range, filter);
    const found: number[] = [];
    await visitAll(this.#index, range, matcher, (_block, _index, id) => void found.push(id));
    const { skip, limit } = fromNewest(asked, found.length);
    return { ids: found.slice(skip, skip + limit), total: found.length };
  }

  async #rank(
    range: VisibleRange,
    filter: AlertFilter,
    { skip, limit, highest }: PageWindow & { readonly highest: RankedField },
  ) {
    const matcher = await this.#matcherIn(range, filter);
    const { ids, total } = await highestMatches(this.#index, range, {
      matcher,
      highest,
      limit: skip + limit,
    });
    return { ids: ids.slice(skip), total };
  }

  readonly hotMarkets: Archive['hotMarkets'] = async ({ limit, ...filter }) => {
    const range = await this.#idRange(filter);
    const matcher = await this.#matcherIn(range, filter);
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
    const matcher = await this.#matcherIn(range, filter, { hasResults: true });
    const preview = await previewOf(this.#index, range, { matcher, days, dayEnds: ends, newest });
    const load: Load<AlertSummary> = (ids) => this.#source.loadSummaries(ids);
    return { ...preview, newest: await inOrder(preview.newest, load) };
  };

  readonly matching: Archive['matching'] = async (filter, { ids, marketIds }) => {
    const range = await this.#idRange(filter);
    const matcher = await this.#matcherIn(range, filter, { hasResults: true });
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

  readonly marketsOfEvent: Archive['marketsOfEvent'] = async (event, { limit, ...bound }) => {
    const range = await this.#idRange(bound);
    const found = await this.#source.marketsOfEvent(event, range);
    return (await this.#newestFirst(found, range)).slice(0, limit);
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

  /** Reads what the filter looks at, and returns its matcher. `hasResults`: reads results for a filter that looks at none. */
  async #matcherIn(
    range: VisibleRange,
    filter: AlertFilter,
    { hasResults = false }: { readonly hasResults?: boolean } = {},
  ): Promise<Matcher> {
    const isPerBet = filter.isPerBet === true;
    await this.#index.read(isPerBet ? { ...range, upto: range.visible } : range);
    if (hasResults || filter.isResolved !== undefined) await this.#index.readSettlements();
    const matcher = this.#matcherOf(criteriaOf(filter), isPerBet ? range.visible : null);
    await matcher.readNamed(new TimeSlices());
    return matcher;
  }

  #matcherOf(criteria: Criteria, newestUpto: number | null = null): Matcher {
    const named = textsOf(criteria).map(([naming, text]) => {
      const key = `${naming} ${text}`;
      const known =
        this.#texts.get(key) ?? new NamedAlerts([naming, text], this.#index.listings, this.#source);
      this.#texts.set(key, known);
      return known;
    });
    return new Matcher(criteria, this.#index.columns, { named, newestUpto });
  }

  async #idRange({ since, until, afterId = 0, beforeId }: IdBounds): Promise<VisibleRange> {
    const source = this.#source;
    const last = await (until === undefined ? source.lastId() : source.lastIdBefore(Math.floor(until) + 1));
    const upto = beforeId === undefined ? last : Math.min(last, beforeId - 1);
    const after = since === undefined ? 0 : await source.lastIdBefore(since);
    return { after: Math.min(Math.max(after, afterId), upto), upto, visible: last };
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

type Load<Shown> = (ids: readonly number[]) => Promise<Shown[]>;

async function inOrder<Shown extends { readonly id: number }>(
  ids: readonly number[],
  load: Load<Shown>,
): Promise<readonly Shown[]> {
  if (ids.length === 0) return [];
  const found = new Map((await load(ids)).map((alert) => [alert.id, alert]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** `visible`: the last alert that exists for the caller. A cursor may end the range before it. */
type VisibleRange = IdRange & { readonly visible: number };
type IdBounds = Pick<AlertFilter, 'since' | 'until' | 'afterId' | 'beforeId'>;

function criteriaOf(filter: AlertFilter): Criteria {
  const { since: _since, until: _until, afterId: _after, beforeId: _before, ...conditions } = filter;
  const { isPerBet: _isPerBet, search, ...rest } = conditions;
  return search === undefined || search === '' ? rest : { ...rest, search: search.toLowerCase() };
}
