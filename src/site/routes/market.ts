import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import type { MarketReport } from '../../core/alerts/market-report.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { MarketPrices } from '../../core/record/observations/market-prices.ts';
import { cursorFilter } from '../../http/query/cursor.ts';
import { listedAlerts, marketPriceLine } from '../alert-prices.ts';
import { reportPath, reportQuerySchema } from '../list-query.ts';
import { marketPage } from '../pages/market.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute, type SitePart } from '../site.ts';

/** All alerts of almost every market. */
const CHARTED_MAX = 500;
const LISTED = 8;
/** Of each line: two charts share the width of the page. */
const POINTS = 150;

export const registerMarket = pageRoute({
  url: '/markets/:slug',
  query: reportQuerySchema,
  path: ({ slug = '' }) => marketPath(slug.toLowerCase()),
  name: reportPath,
  async read(part, { params, query }, schedule) {
    const { deps, site } = part;
    const { before_id: beforeId } = query;
    const slug = (params['slug'] ?? '').toLowerCase();
    const market = await readMarketReport(
      part,
      { slug, ...(beforeId !== undefined && { beforeId }) },
      schedule,
    );
    if (market === null) return null;
    const { report, until } = market;
    const bets = { market: report.newest.marketId.toLowerCase(), until, isPerBet: true };
    const { alerts: listed, total } = await schedule.searches(() =>
      deps.alerts.search({ ...bets, ...cursorFilter(query) }, { page: 1, pageSize: LISTED }),
    );
    const [bots, hidden, rows, exits] = await Promise.all([
      runningBots(part),
      hiddenAddresses(site.hiddenWallets),
      listedAlerts(listed, { prices: site.prices, exits: deps.exits }, until),
      deps.exits.ofList(report.alerts, until),
    ]);
    const olderThan = total > listed.length ? (listed.at(-1)?.id ?? null) : null;
    const now = deps.clock.now();
    const ways = { bots, publicUrl: deps.publicUrl };
    const parts = {
      ...market,
      now,
      rows,
      query,
      exits: [...exits.values()],
      olderThan,
      ways,
      hidden,
    };
    return () => marketPage(report, parts);
  },
});

/** What is known of a market at the free delay; null for one without a visible alert. */
async function readMarketReport(
  { deps, site }: Pick<SitePart, 'deps' | 'site'>,
  { slug, beforeId }: { readonly slug: string; readonly beforeId?: number },
  { searches }: CallerSchedule,
) {
  const until = visibleUntil(DELAYED, deps);
  const marketId = await searches(() => deps.alerts.marketOfSlug(slug, { until }));
  if (marketId === null) return null;
  const report = await searches(() =>
    deps.alerts.marketReport(marketId, {
      until,
      settledUntil: Number.POSITIVE_INFINITY,
      limit: CHARTED_MAX,
      ...(beforeId !== undefined && { beforeId }),
    }),
  );
  if (report === null) return null;
  const [observed, pricesNow] = await Promise.all([
    marketPriceLine(site.prices, report.newest, { until, points: POINTS }),
    pricesByOutcome(report, site.prices, until),
  ]);
  return { report, until, observed, pricesNow };
}

/** The last known price of each outcome that has an alert in the report. */
async function pricesByOutcome(
  { alerts }: MarketReport,
  prices: MarketPrices,
  until: EpochMs,
): Promise<ReadonlyMap<string, number>> {
  const newest = new Map(alerts.toReversed().map((alert) => [alert.outcome, alert]));
  const read = Array.from(
    newest,
    async ([outcome, alert]) => [outcome, await prices.lastOf(alert, until)] as const,
  );
  const found = await Promise.all(read);
  return new Map(found.flatMap(([outcome, price]) => (price === null ? [] : [[outcome, price]])));
}
