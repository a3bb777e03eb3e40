import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import type { MarketReport } from '../../core/alerts/market-report.ts';
import { marketPath } from '../../core/alerts/site-paths.ts';
import { canonicalOr } from '../canonical.ts';
import { marketPriceLine } from '../market-line.ts';
import type { Page } from '../page.ts';
import { marketPage } from '../pages/market.ts';
import { reportPagePath, reportPageSchema, withPrices } from '../report-query.ts';
import { type SitePart, sendNotFound, sendPage } from '../site.ts';

/** Alerts that the chart marks; fewer are listed. */
const READ = 50;
const LISTED = 15;

/** The page of a market, from the free delay of its first alert on. */
export function registerMarketPage(part: SitePart): void {
  const schema = { hide: true, params: z.object({ slug: z.string() }), querystring: reportPageSchema };
  part.app.get('/markets/:slug', { schema }, (request, reply) => {
    const slug = request.params.slug.toLowerCase();
    const path = marketPath(slug);
    if (path === null) return sendNotFound(reply);
    return canonicalOr(path, request, reply, () => {
      const { before_id: beforeId } = request.query;
      const make = (schedule: CallerSchedule) => readPage(part, { slug, beforeId }, schedule);
      return sendPage(part, { name: reportPagePath(path, beforeId), make }, request, reply);
    });
  });
}

interface AskedMarket {
  readonly slug: string;
  readonly beforeId: number | undefined;
}

async function readPage(
  { deps, site }: SitePart,
  { slug, beforeId }: AskedMarket,
  { searches }: CallerSchedule,
): Promise<Page | null> {
  const until = visibleUntil(DELAYED, deps);
  const marketId = await searches(() => deps.alerts.marketOfSlug(slug, { until }));
  if (marketId === null) return null;
  const query = {
    until,
    outcomesUntil: Number.POSITIVE_INFINITY,
    limit: READ,
    ...(beforeId !== undefined && { beforeId }),
  };
  const report = await searches(() => deps.alerts.marketReport(marketId, query));
  if (report === null) return null;
  const listed = report.alerts.slice(0, LISTED);
  const hasMore = report.hasMore || report.alerts.length > LISTED;
  const [observed, hidden, rows] = await Promise.all([
    marketPriceLine(site.prices, mainAlert(report), { until }),
    site.statements.hiddenWallets(),
    withPrices(listed, site.prices, until),
  ]);
  return marketPage(report, {
    ...{ observed, rows, beforeId },
    main: mainAlert(report),
    hidden: new Set(hidden),
    olderThan: hasMore ? (listed.at(-1)?.id ?? null) : null,
  });
}

/** An alert on the outcome with the largest orders, whose price the line shows. */
function mainAlert({ outcomes: [largest], alerts, newest }: MarketReport): Alert {
  return alerts.find(({ outcome }) => outcome === largest?.outcome) ?? newest;
}
