import type { Alert } from '../../core/alerts/alert.ts';
import type { AlertFilter, AlertPage, PageQuery } from '../../core/alerts/alert-store.ts';
import { alertAgeFor, DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { readSearch } from '../../core/alerts/search-text.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { filterOf } from '../../http/query/alert-query.ts';
import { cursorFilter } from '../../http/query/cursor.ts';
import { listedAlerts } from '../alert-prices.ts';
import {
  type ListQuery,
  type ListSort,
  listPath,
  listQuerySchema,
  orderOf,
  WINDOW_DAYS,
} from '../list-query.ts';
import { homePage, type StrongestWindow } from '../pages/home.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute, type SitePart } from '../site.ts';

/** So many that the first page is under 14 kB with all that it loads. */
const SHOWN = 22;
/** Bets from which a window is enough, where none is chosen. */
const ENOUGH = 5;
const NONE_SETTLED = 'No settled bet is in the record yet.';
/** Markets that end next: some are without a bet that matches. */
const ENDING_MARKETS = 60;

export const registerHome = pageRoute({
  url: '/',
  query: listQuerySchema,
  name: (_path, query) => listPath(query),
  async read(part, { query }) {
    const { deps, site } = part;
    const delayMs = alertAgeFor(DELAYED, deps);
    const [list, bots, betCounts, feed, { report }] = await Promise.all([
      readList(query, part),
      runningBots(part),
      deps.figures.betCounts({ delayMs }),
      site.source === 'market' ? deps.coverage.view() : null,
      deps.record.read(),
    ]);
    const results = report.results ?? NONE_SETTLED;
    const now = deps.clock.now();
    return () => homePage({ query, now, ...list, bots, betCounts, results, feed });
  },
});

interface ListRequest {
  readonly query: ListQuery;
  /** What the bets must match. */
  readonly filter: AlertFilter;
  /** Nothing later is known. */
  readonly until: EpochMs;
}

interface FoundBets {
  readonly alerts: readonly Alert[];
  /** Bets that match, from this page on. */
  readonly total: number;
  /** Of the strongest. */
  readonly window?: StrongestWindow;
  /** In how many milliseconds the markets end, by their ids, where that is the order. */
  readonly endsIn?: ReadonlyMap<string, number>;
}

/** Bets: each thread of alerts once. */
async function readList(query: ListQuery, part: SitePart) {
  const { deps, site } = part;
  const until = visibleUntil(DELAYED, deps);
  const request = { query, until, filter: { ...filterOf(query, until), isPerBet: true } };
  const order = orderOf(query);
  const isHidden = await namesHidden(query, part);
  const { alerts, ...found } = isHidden ? NONE : await FINDERS[order](request, part);
  const sources = { prices: site.prices, exits: deps.exits };
  const listed = await listedAlerts(alerts, sources, until);
  const hasOlder = order === 'newest' && found.total > alerts.length;
  return { ...found, listed, olderThan: hasOlder ? (alerts.at(-1)?.id ?? null) : null };
}

const NONE: FoundBets = { alerts: [], total: 0 };

/** Whether a list is that of a hidden wallet: it would tell which bets are those of the address. */
export async function namesHidden(
  { wallet, search = '' }: Pick<ListQuery, 'wallet' | 'search'>,
  { site }: Pick<SitePart, 'site'>,
): Promise<boolean> {
  if (wallet === undefined && search === '') return false;
  const searched = readSearch(search);
  const isNamed = (address: string) =>
    searched.kind === 'wallet' &&
    address.startsWith(searched.ends.start) &&
    address.endsWith(searched.ends.end);
  const hidden = await hiddenAddresses(site.hiddenWallets);
  return [...hidden].some((address) => address === wallet || isNamed(address));
}

const FINDERS: Readonly<Record<ListSort, (request: ListRequest, part: SitePart) => Promise<FoundBets>>> = {
  strongest: findStrongest,
  newest: ({ query, filter }, { deps }) =>
    deps.alerts.search({ ...filter, ...cursorFilter(query) }, { page: 1, pageSize: SHOWN }),
  ending: findEnding,
};

/** Of the chosen window, or of the shortest with enough bets. */
async function findStrongest({ query, filter, until }: ListRequest, { deps }: SitePart): Promise<FoundBets> {
  const end = await deps.figures.windowEnd(until);
  const windows = query.days === undefined ? WINDOW_DAYS : [query.days];
  let window: StrongestWindow = { days: '1', end, tooFew: null };
  let found: AlertPage = { alerts: [], total: 0 };
  for (const days of windows) {
    window = { days, end, tooFew: days === windows[0] ? null : (window.tooFew ?? found.total) };
    const since = end - Number(days) * DAY_MS;
    found = await deps.alerts.search({ ...filter, since }, { page: 1, pageSize: SHOWN, highest: 'score' });
    if (found.total >= ENOUGH) break;
  }
  return { ...found, window };
}

/** Open bets, those in the market that ends next first, and of one market the strongest first. */
async function findEnding({ filter, until }: ListRequest, { deps, site }: SitePart): Promise<FoundBets> {
  const end = await deps.figures.windowEnd(until);
  const now = end === until ? deps.clock.now() : end;
  const open = { ...filter, isResolved: false };
  const marketIds = await site.prices.endingNext(now, ENDING_MARKETS);
  const { markets } = await deps.alerts.matching(open, { ids: [], marketIds });
  const found = new Set(markets.map(({ marketId }) => marketId));
  const alerts: Alert[] = [];
  const endsIn = new Map<string, number>();
  for (const marketId of marketIds.filter((id) => found.has(id))) {
    if (alerts.length === SHOWN) break;
    const page: PageQuery = { page: 1, pageSize: SHOWN - alerts.length, highest: 'score' };
    const bets = await deps.alerts.search({ ...open, market: marketId.toLowerCase() }, page);
    alerts.push(...bets.alerts);
    const [bet] = bets.alerts;
    const endsAt = bet === undefined ? null : await statedEnd(bet, site);
    if (endsAt !== null) endsIn.set(marketId, endsAt - now);
  }
  return { alerts, total: markets.reduce((sum, { total }) => sum + total, 0), endsIn };
}

/** On the clock of the alerts. */
async function statedEnd(alert: Alert, { prices }: SitePart['site']): Promise<EpochMs | null> {
  const found = await prices.marketOf(alert);
  if (found === null || found.market.endsAt === null) return null;
  return found.times.toPublished(found.market.endsAt);
}
