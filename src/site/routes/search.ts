import type { AddressEnds } from '../../core/alerts/alert-store.ts';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { alertPath, marketPath, walletPath } from '../../core/alerts/site-paths.ts';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { type ListQuery, likePath, listPath, listQuerySchema, marketsPath } from '../list-query.ts';
import type { SitePart } from '../site.ts';
import { readSought } from '../sought.ts';

/** One more than leads to a page. */
const NAMED = 2;

/** The search of the site: leads to the page of what was searched, otherwise to the list of alerts with the text as a filter. */
export function registerSearch(part: SitePart): void {
  const schema = { hide: true, querystring: listQuerySchema };
  part.app.get('/search', { schema }, async (request, reply) => {
    const query = request.query as ListQuery;
    const found = await schedulePage(request, part.deps, (schedule) => pathOf(query, part, schedule));
    return reply.header('cache-control', 'no-store').redirect(found, 303);
  });
}

async function pathOf(query: ListQuery, part: SitePart, schedule: CallerSchedule): Promise<string> {
  const { search, before_id: _page, ...rest } = query;
  const listed = (text?: string) => `${listPath({ ...rest, search: text })}#list`;
  if (search === undefined) return listed();
  const sought = readSought(search);
  switch (sought.kind) {
    case 'wallet':
      return walletFound(sought.ends, part, schedule);
    case 'alert': {
      const isFound = sought.isNamed || (await isPublic(sought.id, part));
      if (isFound) return alertPath(sought.id);
      return (await marketNamed(search, part, schedule)) ?? listed(search);
    }
    case 'slugs':
      return (await marketOfSlugs(sought.slugs, part, schedule)) ?? listed(sought.slugs[0]);
    case 'text':
      return (await marketNamed(sought.text, part, schedule)) ?? listed(sought.text);
  }
}

/** The page of the only one; of several, and of none, the page that lists them. */
async function walletFound(
  ends: AddressEnds,
  { deps, site }: SitePart,
  { searches }: CallerSchedule,
): Promise<string> {
  const until = visibleUntil(DELAYED, deps);
  const hidden = new Set(await site.statements.hiddenWallets());
  const bound = { until, limit: NAMED + hidden.size };
  const named = await searches(() => deps.alerts.walletsNamed(ends, bound));
  const [found, ...others] = named.filter((wallet) => !hidden.has(wallet));
  return found === undefined || others.length > 0 ? likePath(ends) : walletPath(found);
}

/** An alert that is not public yet is as one that does not exist. */
async function isPublic(id: number, { deps }: SitePart): Promise<boolean> {
  const alert = await deps.alerts.byId(id);
  return alert !== null && alert.createdAt <= visibleUntil(DELAYED, deps);
}

async function marketOfSlugs(
  slugs: readonly string[],
  { deps }: SitePart,
  { searches }: CallerSchedule,
): Promise<string | null> {
  const until = visibleUntil(DELAYED, deps);
  for (const event of slugs.map((slug) => slug.toLowerCase())) {
    if ((await searches(() => deps.alerts.marketOfSlug(event, { until }))) !== null) return marketPath(event);
    const markets = await searches(() => deps.alerts.marketsOfEvent(event, { until, limit: NAMED }));
    const [only, ...others] = markets;
    if (only === undefined) continue;
    if (others.length > 0) return marketsPath({ event });
    const [alert] = await deps.alerts.ofMarket(only, 1);
    return marketPath(alert?.eventSlug ?? '');
  }
  return null;
}

/** Null unless the text names one market. */
async function marketNamed(
  text: string,
  { deps }: SitePart,
  { searches }: CallerSchedule,
): Promise<string | null> {
  const until = visibleUntil(DELAYED, deps);
  const [market, ...others] = await searches(() => deps.alerts.marketsNamed(text, { until, limit: NAMED }));
  if (market === undefined || others.length > 0) return null;
  const newest = await searches(() =>
    deps.alerts.search({ market: market.toLowerCase(), until }, { page: 1, pageSize: 1 }),
  );
  return marketPath(newest.alerts[0]?.eventSlug ?? '');
}
