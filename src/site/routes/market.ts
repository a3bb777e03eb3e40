import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import { listedAlerts, marketPriceLine } from '../alert-prices.ts';
import { marketPage } from '../pages/market.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute } from '../site.ts';

/** All alerts of almost every market. */
const CHARTED_MAX = 500;
const LISTED = 7;

export const registerMarket = pageRoute({
  url: '/markets/:slug',
  path: ({ slug = '' }) => marketPath(slug.toLowerCase()),
  async read(part, { params }) {
    const { deps, site } = part;
    const until = visibleUntil(DELAYED, deps);
    const slug = (params['slug'] ?? '').toLowerCase();
    const marketId = await deps.alerts.marketOfSlug(slug, { until });
    if (marketId === null) return null;
    const asked = { until, limit: CHARTED_MAX };
    const report = await deps.alerts.marketReport(marketId, asked);
    if (report === null) return null;
    const bets = { market: marketId.toLowerCase(), until, asOf: until, isPerBet: true };
    const { alerts: listed } = await deps.alerts.search(bets, {
      page: 1,
      pageSize: LISTED,
      highest: 'putInUsdc',
    });
    const [bots, watched, rows, exits] = await Promise.all([
      runningBots(part),
      marketPriceLine(site.prices, report.newest, { until }),
      listedAlerts(listed, { prices: site.prices, exits: deps.exits }, until),
      deps.exits.ofList(report.alerts, until),
    ]);
    const parts = { watched, rows, exits: [...exits.values()], bots };
    return () => marketPage(report, parts);
  },
});
