import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import type { MarketReport } from '../../core/alerts/market-report.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { MarketPrices } from '../../core/record/observations/market-prices.ts';
import { listedAlerts, marketPriceLine } from '../alert-prices.ts';
import { reportPath, reportQuerySchema } from '../list-query.ts';
import { marketPage } from '../pages/market.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute } from '../site.ts';

const READ = 50;
const LISTED = 8;

export const registerMarket = pageRoute({
  url: '/markets/:slug',
  query: reportQuerySchema,
  path: ({ slug = '' }) => marketPath(slug.toLowerCase()),
  name: reportPath,
  async make(part, { params, query }, { searches }) {
    const { deps, site } = part;
    const until = visibleUntil(DELAYED, deps);
    const slug = (params['slug'] ?? '').toLowerCase();
    const marketId = await searches(() => deps.alerts.marketOfSlug(slug, { until }));
    if (marketId === null) return null;
    const { before_id: beforeId } = query;
    const report = await searches(() =>
      deps.alerts.marketReport(marketId, {
        until,
        settledUntil: Number.POSITIVE_INFINITY,
        limit: READ,
        ...(beforeId !== undefined && { beforeId }),
      }),
    );
    if (report === null) return null;
    const listed = report.alerts.slice(0, LISTED);
    const hasMore = report.hasMore || report.alerts.length > LISTED;
    const [bots, observed, hidden, rows, pricesNow] = await Promise.all([
      runningBots(part),
      marketPriceLine(site.prices, report.newest, { until }),
      site.statements.hiddenWallets(),
      listedAlerts(listed, { prices: site.prices, exits: deps.exits }, until),
      pricesByOutcome(report, site.prices, until),
    ]);
    const olderThan = hasMore ? (listed.at(-1)?.id ?? null) : null;
    const now = deps.clock.now();
    const ways = { bots, publicUrl: deps.publicUrl };
    const parts = { now, observed, pricesNow, rows, query, olderThan, ways, hidden: new Set(hidden) };
    return marketPage(report, parts);
  },
});

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
