import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { PREVIEW_DAYS } from '../../core/alerts/archive/figures.ts';
import { alertAgeFor, DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { filterOf } from '../../http/query/alert-query.ts';
import { cursorFilter } from '../../http/query/cursor.ts';
import { listedAlerts } from '../alert-prices.ts';
import { type ListQuery, listPath, listQuerySchema } from '../list-query.ts';
import { homePage } from '../pages/home.ts';
import { runningBots } from '../service-report.ts';
import { pageRoute, type SitePart } from '../site.ts';

/** So many that a page of them is under 60 kB. */
const SHOWN = 22;
/** What an order other than the newest first is made of: the same days as the figures. */
const RANKED_MS = PREVIEW_DAYS * DAY_MS;
const RANKED_BY = { strongest: 'score', win: 'toWinUsdc', put_in: 'putInUsdc' } as const;
const HOT_MARKETS = 6;

export const registerHome = pageRoute({
  url: '/',
  query: listQuerySchema,
  name: (_path, query) => listPath(query),
  async read(part, { query }, schedule) {
    const { figures, coverage } = part.deps;
    const delayMs = alertAgeFor(DELAYED, part.deps);
    const [list, bots, stats, hot, feed] = await Promise.all([
      readList(query, part, schedule),
      runningBots(part),
      figures.stats({ delayMs, isPerBet: true }, schedule.figures),
      figures.hotMarkets({ windowMs: DAY_MS, delayMs, isPerBet: true }, schedule.figures),
      coverage.view(),
    ]);
    const { until } = hot;
    const hotMarkets = hot.mostAlerts.slice(0, HOT_MARKETS);
    const report = part.deps.record.read()?.report;
    const record = report === undefined ? null : (report.results ?? report.conclusion);
    const { source } = part.site;
    const now = part.deps.clock.now();
    const ways = { bots, publicUrl: part.deps.publicUrl };
    return () => homePage({ query, now, ...list, ways, stats, hotMarkets, until, record, feed, source });
  },
});

/** Bets: each thread of alerts once. */
async function readList(query: ListQuery, { deps, site }: SitePart, schedule: CallerSchedule) {
  const until = visibleUntil(DELAYED, deps);
  const { sort } = query;
  const filter = {
    ...filterOf(query, until),
    ...(sort === undefined
      ? cursorFilter(query)
      : { since: (await deps.figures.windowEnd(until)) - RANKED_MS }),
    isPerBet: true,
  };
  const order = sort && { highest: RANKED_BY[sort] };
  const { alerts, total } = await schedule.searches(() =>
    deps.alerts.search(filter, { page: 1, pageSize: SHOWN, ...order }),
  );
  const hasMore = total > alerts.length;
  return {
    listed: await schedule.searches(() =>
      listedAlerts(alerts, { prices: site.prices, exits: deps.exits }, until),
    ),
    total,
    isTop: sort !== undefined && hasMore,
    olderThan: sort === undefined && hasMore ? (alerts.at(-1)?.id ?? null) : null,
  };
}
