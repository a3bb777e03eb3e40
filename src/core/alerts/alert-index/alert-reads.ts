import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type { AlertFilter, AlertStore, HotMarket, HotMarkets } from '../alert-store.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Markets } from '../markets.ts';
import { isInTexts, searchedWords } from '../search-text.ts';
import type { MarketSettlement } from '../settlement.ts';
import { AlertIndex, type IndexSource } from './alert-index.ts';
import { AlertReader } from './alert-reader.ts';
import { marketReport, walletReport, walletsNamed } from './reports.ts';
import { type IndexedMarket, settlementAsOf } from './settlement-history.ts';
import { highestOf, matchesOf, pageOf, previewOf, statsOf, sumsByMarket, topOf } from './sums.ts';
import { eventOf, rangeOf, Walk } from './walk.ts';

interface Source extends IndexSource {
  readonly log: LogStore;
  readonly markets: Markets;
}

/** The reads of alerts, and the index that they walk. */
export function createAlertReads(source: Source): {
  readonly index: AlertIndex;
  readonly reads: AlertStore;
} {
  const { log, markets } = source;
  const index = new AlertIndex(source);
  const alerts = new AlertReader({ index, log, markets });
  const walk: Walks['walk'] = async (filter, use) => {
    const event = eventOf(filter);
    const [named] = await Promise.all([event === null ? [] : markets.ofEvent(event), index.upToDate()]);
    return use(new Walk(index, filter, new Set(named)));
  };
  const reads: AlertStore = {
    async walletReport(wallet, query) {
      await index.upToDate();
      return walletReport({ index, alerts }, wallet, query);
    },
    async marketReport(marketId, query) {
      await index.upToDate();
      return marketReport({ index, alerts }, marketId, query);
    },
    ...createReadsById({ index, alerts, markets }),
    search: createSearch({ index, alerts, walk }),
    ...createSums({ index, alerts, walk }),
    ...createSettledReads(index),
    ...createNamedReads(index, markets),
  };
  return { index, reads };
}

type ReadsById =
  | ('last' | 'byId' | 'visible' | 'some' | 'ofMarket' | 'after' | 'latest')
  | ('thread' | 'newestOfThreads' | 'marketsWithoutEvent');

function createReadsById({
  index,
  alerts,
  markets,
}: Pick<Walks, 'index' | 'alerts'> & Pick<Source, 'markets'>): Pick<AlertStore, ReadsById> {
  const read = async (ids: () => readonly number[], moment?: EpochMs): Promise<readonly Alert[]> => {
    await index.upToDate();
    return alerts.read(ids(), moment);
  };
  const { columns } = index;
  const one = async (id: number, moment?: EpochMs): Promise<Alert | null> => {
    // Its reader may know it from another process, which has just entered it.
    if (id > columns.length) await index.refresh();
    const [alert = null] = await read(() => [id], moment);
    return alert;
  };
  return {
    async last() {
      const [alert = null] = await read(() => [columns.length]);
      return alert;
    },
    byId: (id) => one(id),
    async visible(id, until) {
      const alert = await one(id, until);
      return alert === null || alert.createdAt > until ? null : alert;
    },
    some: (ids) => read(() => ids.toSorted((a, b) => a - b)),
    ofMarket: (marketId, limit, afterId = 0) =>
      read(() => {
        const { alertIds = [] } = index.settlements.market(marketId) ?? {};
        return alertIds.filter((id) => id > afterId).slice(0, limit);
      }),
    after: (id, limit) =>
      read(() => Array.from({ length: Math.min(limit, columns.length - id) }, (_, at) => id + 1 + at)),
    latest: ({ limit, ...bound }) =>
      read(() => {
        const { visible } = rangeOf(index, bound);
        return Array.from({ length: Math.min(limit, visible) }, (_, at) => visible - at);
      }),
    async thread(subject) {
      await index.upToDate();
      return index.thread(subject);
    },
    newestOfThreads: (some, until) =>
      read(() => some.map(({ id }) => index.newestOfThread(id, until)), until),
    async marketsWithoutEvent() {
      await index.upToDate();
      const unnamed = [...index.settlements.withAlerts()].filter(({ event }) => event === null);
      const events = await markets.eventsOf(unnamed.map(({ id }) => id));
      return unnamed.map(({ id }) => id).filter((id) => !events.has(id));
    },
  };
}

interface Walks {
  readonly index: AlertIndex;
  readonly alerts: AlertReader;
  /** Uses, without a pause, the matches of a filter among all that was written before the call. */
  readonly walk: <Used>(filter: AlertFilter, use: (walk: Walk) => Used) => Promise<Used>;
}

function createSearch({ index, alerts, walk }: Walks): AlertStore['search'] {
  return async (filter, { page, pageSize, isOldestFirst = false, highest }) => {
    const window = { skip: (page - 1) * pageSize, limit: pageSize };
    const { ids, total } = await walk(filter, (found) =>
      highest === undefined
        ? pageOf(found, { ...window, isOldestFirst })
        : highestOf(found, index, { ...window, highest }),
    );
    return { alerts: await alerts.read(ids, filter.asOf), total };
  };
}

function createSums({
  index,
  alerts,
  walk,
}: Walks): Pick<AlertStore, 'hotMarkets' | 'stats' | 'preview' | 'matching'> {
  return {
    async hotMarkets(filter, limit) {
      const markets = await walk(filter, (found) => sumsByMarket(found, index));
      const lists = {
        mostAlerts: topOf(markets, 'alertCount', limit),
        highestSignal: topOf(markets, 'avgScore', limit),
        biggestTrades: topOf(markets, 'totalUsdc', limit),
      };
      return withTexts(lists, (ids) => alerts.read(ids));
    },
    async stats({ dayStart, until }) {
      await index.upToDate();
      const known = until === undefined ? {} : { until, asOf: until };
      return statsOf(new Walk(index, known), index.columns.countBefore(dayStart) + 1, index);
    },
    async preview(filter, { newest }) {
      const { since, until } = filter;
      const preview = await walk(filter, (found) => previewOf(found, index, { since, until, newest }));
      return { ...preview, newest: await alerts.read(preview.newest, filter.asOf) };
    },
    async matching(filter, { ids, marketIds }) {
      const named = new Set(marketIds);
      return walk(filter, (found) => {
        const isIn = new Set(ids.length > 0 ? found.ids : []);
        const markets = named.size === 0 ? [] : sumsByMarket(found, index).map(matchesOf);
        return {
          ids: ids.filter((id) => isIn.has(id)),
          markets: markets.filter(({ marketId }) => named.has(marketId)),
        };
      });
    },
  };
}

function createSettledReads(
  index: AlertIndex,
): Pick<AlertStore, 'settledMarkets' | 'settlementsOf' | 'unresolvedMarkets'> {
  const settledOf = (market: IndexedMarket, asOf: EpochMs): readonly MarketSettlement[] => {
    const settlement = market.alertIds.length === 0 ? null : settlementAsOf(market, asOf);
    return settlement === null ? [] : [settlement];
  };
  return {
    async unresolvedMarkets({ afterId, limit }) {
      await index.upToDate();
      const { ids } = new Walk(index, { isResolved: false, afterId });
      const found = [...ids.slice(-limit).reverse()];
      return {
        marketIds: [...new Set(found.map((id) => index.marketOf(id).id))],
        lastId: found.length < limit ? null : (found.at(-1) ?? null),
      };
    },
    async settledMarkets(asOf, limit) {
      await index.upToDate();
      const found = new Map<string, MarketSettlement>();
      for (const market of index.settlements.lastSettled()) {
        for (const settled of settledOf(market, asOf)) found.set(market.id, settled);
        if (found.size === limit) break;
      }
      return [...found.values()];
    },
    async settlementsOf(marketIds, asOf) {
      await index.upToDate();
      return marketIds.flatMap((id) => {
        const market = index.settlements.market(id);
        return market === null ? [] : settledOf(market, asOf);
      });
    },
  };
}

function createNamedReads(
  index: AlertIndex,
  markets: Pick<Markets, 'ofEvent'>,
): Pick<AlertStore, 'marketOfSlug' | 'marketsOfEvent' | 'marketsNamed' | 'walletsNamed'> {
  /** Those with alerts until then, by their newest ones. */
  const newestFirst = (markets: Iterable<IndexedMarket>, until: EpochMs | undefined): readonly string[] => {
    const { visible } = rangeOf(index, until === undefined ? {} : { until });
    return Array.from(markets, ({ id, alertIds }) => ({
      id,
      newest: alertIds.findLast((alertId) => alertId <= visible) ?? 0,
    }))
      .filter(({ newest }) => newest > 0)
      .toSorted((one, other) => other.newest - one.newest)
      .map(({ id }) => id);
  };
  const marketsOfSlug = (name: string) =>
    new Set(
      index.listings
        .filter(({ slug, marketId }) => slug === name || marketId === name)
        .map(({ market }) => market),
    );
  return {
    async marketOfSlug(slug, { until }) {
      await index.upToDate();
      return newestFirst(marketsOfSlug(slug.toLowerCase()), until)[0] ?? null;
    },
    async marketsOfEvent(event, { until, limit }) {
      const [ids] = await Promise.all([markets.ofEvent(event), index.upToDate()]);
      const named = new Set(ids);
      const isOfIt = (market: IndexedMarket) => market.event === event || named.has(market.id);
      return newestFirst([...index.settlements.withAlerts()].filter(isOfIt), until).slice(0, limit);
    },
    async marketsNamed(text, { until, limit }) {
      await index.upToDate();
      const name = text.toLowerCase().toWellFormed();
      const searched = searchedWords(name);
      const exact = index.listings.filter(({ slug, title }) => slug === name || title === name);
      const fitting = (listing: (typeof exact)[number]) => isInTexts(searched, listing);
      const found = exact.length > 0 ? exact : index.listings.filter(fitting);
      return newestFirst(new Set(found.map(({ market }) => market)), until).slice(0, limit);
    },
    async walletsNamed(ends, { until, limit }) {
      await index.upToDate();
      const { visible } = rangeOf(index, until === undefined ? {} : { until });
      return walletsNamed(index, ends, { visible, limit });
    },
  };
}

type Ranked = ReturnType<typeof sumsByMarket>[number];

/** The lists with the texts that the newest alert of each market has. */
async function withTexts(
  lists: Readonly<Record<keyof HotMarkets, readonly Ranked[]>>,
  load: (ids: readonly number[]) => Promise<readonly Alert[]>,
): Promise<HotMarkets> {
  const ids = new Set(Object.values(lists).flatMap((list) => list.map(({ newestId }) => newestId)));
  const newest = new Map((await load([...ids])).map((alert) => [alert.id, alert]));
  const toHotMarket = ({ won: _won, ...sums }: Ranked): readonly HotMarket[] => {
    const alert = newest.get(sums.newestId);
    if (alert === undefined) return [];
    const { eventTitle, eventSlug, marketEvent, category, createdAt: latestAlertAt } = alert;
    return [{ ...sums, eventTitle, eventSlug, marketEvent, category, latestAlertAt }];
  };
  return {
    mostAlerts: lists.mostAlerts.flatMap(toHotMarket),
    highestSignal: lists.highestSignal.flatMap(toHotMarket),
    biggestTrades: lists.biggestTrades.flatMap(toHotMarket),
  };
}
