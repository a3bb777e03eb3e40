import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import { listedAlerts, marketPriceLine } from '../alert-prices.ts';
import { reportPath, reportQuerySchema } from '../list-query.ts';
import { marketPage } from '../pages/market.ts';
import { pageRoute } from '../site.ts';

const READ = 50;
const LISTED = 15;

export const registerMarket = pageRoute({
  url: '/markets/:slug',
  query: reportQuerySchema,
  path: ({ slug = '' }) => marketPath(slug.toLowerCase()),
  name: reportPath,
  async make({ deps, site }, { params, query }, { searches }) {
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
    const [observed, hidden, rows] = await Promise.all([
      marketPriceLine(site.prices, report.newest, { until }),
      site.statements.hiddenWallets(),
      listedAlerts(listed, { prices: site.prices, exits: deps.exits }, until),
    ]);
    const olderThan = hasMore ? (listed.at(-1)?.id ?? null) : null;
    const now = deps.clock.now();
    return marketPage(report, { now, observed, rows, query, olderThan, hidden: new Set(hidden) });
  },
});
