import type { Alert } from '../../core/alerts/alert.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import type { MarketSettlement } from '../../core/alerts/settlement.ts';
import { MARKETS_PATH } from '../../core/alerts/site-paths.ts';
import { DAY_MS, type EpochMs } from '../../core/base/time/duration.ts';
import { marketPriceLine } from '../alert-prices.ts';
import { type MarketsQuery, marketsPath, marketsQuerySchema } from '../list-query.ts';
import {
  type ListedMarkets,
  type MarketFigures,
  marketsPage,
  type OpenMarket,
  type SettledMarket,
} from '../pages/markets.ts';
import { pageRoute, type SitePart } from '../site.ts';

const OPEN = 20;
const SETTLED = 10;
/** Of the newest settlements, and of the next ends, some are of markets without an alert that is public. */
const CANDIDATES = 60;
const LINE_MS = 7 * DAY_MS;
/** A small line is 6 rem wide. */
const LINE_POINTS = 40;
/** Alerts in which open markets, and open positions, are looked for. */
const LISTED_MS = 365 * DAY_MS;

export async function listedSince({ deps }: Pick<SitePart, 'deps'>, until: EpochMs): Promise<EpochMs> {
  return (await deps.figures.windowEnd(until)) - LISTED_MS;
}

/** Alerts of a market that are public, and the newest of them. */
interface Found extends MarketFigures {
  readonly marketId: string;
  readonly newestId: number;
}

export const registerMarkets = pageRoute({
  url: MARKETS_PATH,
  query: marketsQuerySchema,
  name: (_path, query) => marketsPath(query),
  async read(part, { query }) {
    const [open, settled] = await Promise.all([readOpen(query, part), readSettled(part)]);
    const now = part.deps.clock.now();
    return () => marketsPage({ query, now, open, settled });
  },
});

async function readOpen({ sort }: MarketsQuery, part: SitePart): Promise<readonly OpenMarket[]> {
  const until = visibleUntil(DELAYED, part.deps);
  const found = sort === 'ends' ? await endingNext(part) : await mostOf(sort, part);
  return Promise.all(found.map((market) => openMarket(market, part, until)));
}

async function mostOf(sort: 'usdc' | undefined, part: SitePart): Promise<readonly Found[]> {
  const { deps } = part;
  const until = visibleUntil(DELAYED, deps);
  const since = await listedSince(part, until);
  const filter = { since, until, asOf: until, isResolved: false, isPerBet: true };
  const { mostAlerts, biggestTrades } = await deps.alerts.hotMarkets(filter, OPEN);
  return (sort === undefined ? mostAlerts : biggestTrades).map(
    ({ alertCount: bets, totalUsdc: putInUsdc, ...market }) => ({ ...market, bets, putInUsdc }),
  );
}

async function endingNext(part: SitePart): Promise<readonly Found[]> {
  const marketIds = await part.site.prices.endingNext(part.deps.clock.now(), CANDIDATES);
  const since = await listedSince(part, visibleUntil(DELAYED, part.deps));
  const visible = await visibleOf({ marketIds, isResolved: false, since }, part);
  return visible.slice(0, OPEN);
}

interface Asked {
  readonly marketIds: readonly string[];
  readonly isResolved: boolean;
  /** Of the alerts that are looked at. Default: all. */
  readonly since?: EpochMs;
}

/** Those of the markets that have public alerts, in their order. */
async function visibleOf({ marketIds, ...asked }: Asked, { deps }: SitePart): Promise<readonly Found[]> {
  const until = visibleUntil(DELAYED, deps);
  const filter = { ...asked, until, asOf: until, isPerBet: true };
  const { markets } = await deps.alerts.matching(filter, { ids: [], marketIds });
  const byId = new Map(markets.map((market) => [market.marketId, market]));
  return marketIds.flatMap((marketId) => {
    const found = byId.get(marketId);
    if (found === undefined) return [];
    return { marketId, bets: found.total, putInUsdc: found.usdc, newestId: found.newest };
  });
}

async function openMarket(
  { bets, putInUsdc, newestId }: Found,
  { deps, site }: SitePart,
  until: EpochMs,
): Promise<OpenMarket> {
  const newest = (await deps.alerts.byId(newestId)) as Alert;
  const from = (await deps.figures.windowEnd(until)) - LINE_MS;
  const [priceNow, watched] = await Promise.all([
    site.prices.lastOf(newest, until),
    marketPriceLine(site.prices, newest, { until, from, points: LINE_POINTS }),
  ]);
  const line = watched?.lineOf(newest) ?? [];
  return { newest, bets, putInUsdc, priceNow, line, endsAt: watched?.endsAt ?? null };
}

/** Those of the markets that have public alerts, in their order. */
export async function readMarkets(marketIds: readonly string[], part: SitePart): Promise<ListedMarkets> {
  const { deps } = part;
  const until = visibleUntil(DELAYED, deps);
  const [open, settlements] = await Promise.all([
    visibleOf({ marketIds, isResolved: false }, part),
    deps.alerts.settlementsOf(marketIds, until),
  ]);
  return {
    now: deps.clock.now(),
    open: await Promise.all(open.map((market) => openMarket(market, part, until))),
    settled: await settledOf({ settlements }, part),
  };
}

async function readSettled(part: SitePart): Promise<readonly SettledMarket[]> {
  const until = visibleUntil(DELAYED, part.deps);
  const settlements = await part.deps.alerts.settledMarkets(until, CANDIDATES);
  const since = await listedSince(part, until);
  return settledOf({ settlements, since }, part);
}

/** Those with public alerts, in their order. */
async function settledOf(
  { settlements, ...bound }: { readonly settlements: readonly MarketSettlement[]; readonly since?: EpochMs },
  part: SitePart,
): Promise<readonly SettledMarket[]> {
  const byMarket = new Map(settlements.map((settlement) => [settlement.marketId, settlement]));
  const asked = { marketIds: [...byMarket.keys()], isResolved: true, ...bound };
  const found = await visibleOf(asked, part);
  return Promise.all(
    found.slice(0, SETTLED).map(async ({ marketId, bets, putInUsdc, newestId }) => {
      const newest = (await part.deps.alerts.byId(newestId)) as Alert;
      const settlement = byMarket.get(marketId) as MarketSettlement;
      return { newest, bets, putInUsdc, settlement };
    }),
  );
}
