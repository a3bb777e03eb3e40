import type { EpochMs } from '../../base/time/duration.ts';
import type { Alert } from '../alert.ts';
import type {
  AlertFilter,
  AlertReads,
  HotMarket,
  HotMarkets,
  MarketOutcome,
  StoredAlerts,
} from '../alert-store.ts';
import { isInTexts, searchedWords } from '../search-text.ts';
import { AlertIndex, type IndexSource } from './alert-index.ts';
import { marketReport, walletReport, walletsNamed } from './reports.ts';
import { type IndexedMarket, settlementAsOf } from './settlement-history.ts';
import { highestOf, matchesOf, pageOf, previewOf, statsOf, sumsByMarket, topOf } from './sums.ts';
import { eventOf, rangeOf, Walk } from './walk.ts';

const ALWAYS = Number.POSITIVE_INFINITY;

interface Source extends IndexSource {
  readonly alerts: IndexSource['alerts'] & Pick<StoredAlerts, 'byId' | 'some' | 'marketsOf'>;
}

/** The reads of many alerts, and the index that they walk. */
export function createAlertReads(source: Source): {
  readonly index: AlertIndex;
  readonly reads: AlertReads;
} {
  const { alerts } = source;
  const index = new AlertIndex(source);
  const walk: Walks['walk'] = async (filter, use) => {
    const event = eventOf(filter);
    const [markets] = await Promise.all([event === null ? [] : alerts.marketsOf(event), index.refresh()]);
    return use(new Walk(index, filter, new Set(markets)));
  };
  const reads: AlertReads = {
    async visible(id, until) {
      const [alert] = await Promise.all([alerts.byId(id), index.refresh()]);
      return alert === null || alert.createdAt > until ? null : index.asOf(alert, until);
    },
    async walletReport(wallet, query) {
      await index.refresh();
      return walletReport({ index, alerts }, wallet, query);
    },
    async marketReport(marketId, query) {
      await index.refresh();
      return marketReport({ index, alerts }, marketId, query);
    },
    search: createSearch({ index, alerts, walk }),
    ...createSums({ index, alerts, walk }),
    ...createSettledReads(index),
    ...createNamedReads(index, alerts),
  };
  return { index, reads };
}

interface Walks {
  readonly index: AlertIndex;
  readonly alerts: Source['alerts'];
  /** Uses, without a pause, the matches of a filter among all that was written before the call. */
  readonly walk: <Used>(filter: AlertFilter, use: (walk: Walk) => Used) => Promise<Used>;
}

function createSearch({ index, alerts, walk }: Walks): AlertReads['search'] {
  return async (filter, { page, pageSize, isOldestFirst = false, highest }) => {
    const window = { skip: (page - 1) * pageSize, limit: pageSize };
    const { ids, total } = await walk(filter, (found) =>
      highest === undefined
        ? pageOf(found, { ...window, isOldestFirst })
        : highestOf(found, index, { ...window, highest }),
    );
    return { alerts: await readInOrder(ids, { index, alerts }, filter.asOf), total };
  };
}

function createSums({
  index,
  alerts,
  walk,
}: Walks): Pick<AlertReads, 'hotMarkets' | 'stats' | 'preview' | 'matching'> {
  return {
    async hotMarkets(filter, limit) {
      const markets = await walk(filter, (found) => sumsByMarket(found, index));
      const lists = {
        mostAlerts: topOf(markets, 'alertCount', limit),
        highestSignal: topOf(markets, 'avgScore', limit),
        biggestTrades: topOf(markets, 'totalUsdc', limit),
      };
      return withTexts(lists, alerts.some);
    },
    async stats({ dayStart, until }) {
      await index.refresh();
      const known = until === undefined ? {} : { until, asOf: until };
      return statsOf(new Walk(index, known), index.columns.countBefore(dayStart) + 1, index);
    },
    async preview(filter, { newest }) {
      const { since, until } = filter;
      const preview = await walk(filter, (found) => previewOf(found, index, { since, until, newest }));
      return { ...preview, newest: await readInOrder(preview.newest, { index, alerts }, filter.asOf) };
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

function createSettledReads(index: AlertIndex): Pick<AlertReads, 'settledMarkets' | 'settlementsOf'> {
  const settledOf = (market: IndexedMarket, asOf: EpochMs): readonly MarketOutcome[] => {
    const settlement = settlementAsOf(market, asOf);
    return settlement === null || market.alertIds.length === 0
      ? []
      : [{ ...settlement, marketId: market.id }];
  };
  return {
    async settledMarkets(asOf, limit) {
      await index.refresh();
      const found = new Map<string, MarketOutcome>();
      for (const market of index.settlements.lastSettled()) {
        for (const settled of settledOf(market, asOf)) found.set(market.id, settled);
        if (found.size === limit) break;
      }
      return [...found.values()];
    },
    async settlementsOf(marketIds, asOf) {
      await index.refresh();
      return marketIds.flatMap((id) => {
        const market = index.settlements.market(id);
        return market === null ? [] : settledOf(market, asOf);
      });
    },
  };
}

function createNamedReads(
  index: AlertIndex,
  alerts: Pick<StoredAlerts, 'marketsOf'>,
): Pick<AlertReads, 'marketOfSlug' | 'marketsOfEvent' | 'marketsNamed' | 'walletsNamed'> {
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
      await index.refresh();
      return newestFirst(marketsOfSlug(slug.toLowerCase()), until)[0] ?? null;
    },
    async marketsOfEvent(event, { until, limit }) {
      const [ids] = await Promise.all([alerts.marketsOf(event), index.refresh()]);
      const markets = ids.flatMap((id) => index.settlements.market(id) ?? []);
      return newestFirst(markets, until).slice(0, limit);
    },
    async marketsNamed(text, { until, limit }) {
      await index.refresh();
      const name = text.toLowerCase().toWellFormed();
      const searched = searchedWords(name);
      const exact = index.listings.filter(({ slug, title }) => slug === name || title === name);
      const fitting = (listing: (typeof exact)[number]) => isInTexts(searched, listing);
      const found = exact.length > 0 ? exact : index.listings.filter(fitting);
      return newestFirst(new Set(found.map(({ market }) => market)), until).slice(0, limit);
    },
    async walletsNamed(ends, { until, limit }) {
      await index.refresh();
      const { visible } = rangeOf(index, until === undefined ? {} : { until });
      return walletsNamed(index, ends, { visible, limit });
    },
  };
}

/** The alerts with these ids, in their order, as they were known at a moment. */
async function readInOrder(
  ids: readonly number[],
  { index, alerts }: Pick<Walks, 'index' | 'alerts'>,
  moment: EpochMs = ALWAYS,
): Promise<readonly Alert[]> {
  if (ids.length === 0) return [];
  const found = new Map((await alerts.some(ids)).map((alert) => [alert.id, index.asOf(alert, moment)]));
  return ids.flatMap((id) => found.get(id) ?? []);
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
