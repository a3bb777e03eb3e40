import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { PREVIEW_DAYS } from '../../core/alerts/archive/figures.ts';
import { alertAgeFor, DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { newestOfThreads } from '../../core/alerts/ledger/thread.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import { recordVerdict } from '../../core/record/conclusion.ts';
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
const RANKED_BY = { strongest: 'score', win: 'toWinUsdc' } as const;
/** Read to find that many threads: mostly the first suffices, but a wallet that keeps buying may have a dozen alerts in a row. */
const READ = { few: 30, many: 60 };
const HOT_MARKETS = 6;

export const registerHome = pageRoute({
  url: '/',
  query: listQuerySchema,
  name: (_path, query) => listPath(query),
  async read(part, { query }, schedule) {
    const { figures, coverage } = part.deps;
    const delayMs = alertAgeFor(DELAYED, part.deps);
    const [list, bots, stats, preview, hot, feed] = await Promise.all([
      readList(query, part, schedule),
      runningBots(part),
      figures.stats({ delayMs }, schedule.figures),
      figures.preview({}, { delayMs }, schedule.searches),
      figures.hotMarkets({ windowMs: DAY_MS, delayMs }, schedule.figures),
      coverage.view(),
    ]);
    const hotMarkets = hot.mostAlerts.slice(0, HOT_MARKETS);
    const report = part.deps.record.read()?.report;
    const verdict = report === undefined ? null : recordVerdict(report);
    const { source } = part.site;
    const now = part.deps.clock.now();
    const ways = { bots, publicUrl: part.deps.publicUrl };
    return () => homePage({ query, now, ...list, ways, stats, preview, hotMarkets, verdict, feed, source });
  },
});

async function readList(query: ListQuery, { deps, site }: SitePart, schedule: CallerSchedule) {
  const until = visibleUntil(DELAYED, deps);
  const { sort } = query;
  const filter = {
    ...filterOf(query, until),
    ...(sort === undefined
      ? cursorFilter(query)
      : { since: (await deps.figures.windowEnd(until)) - RANKED_MS }),
  };
  const order = sort && { highest: RANKED_BY[sort] };
  const read = (pageSize: number) =>
    schedule.searches(() => deps.alerts.search(filter, { page: 1, pageSize, ...order }));
  let { alerts, total } = await read(READ.few);
  if (newestOfThreads(alerts).length <= SHOWN && alerts.length < total)
    ({ alerts, total } = await read(READ.many));
  const threads = newestOfThreads(alerts);
  const shown = threads.slice(0, SHOWN);
  const last = threads.length > SHOWN ? shown.at(-1) : alerts.at(-1);
  const isLastPage = sort !== undefined || (threads.length <= SHOWN && total <= alerts.length);
  return {
    listed: await schedule.searches(() =>
      listedAlerts(shown, { prices: site.prices, exits: deps.exits }, until),
    ),
    total,
    isTop: sort !== undefined && (threads.length > SHOWN || total > alerts.length),
    olderThan: isLastPage ? null : (last?.id ?? null),
  };
}
