import type { AddressEnds } from '../../core/alerts/alert-store.ts';
import type { CallerSchedule } from '../../core/alerts/archive/archive-scheduler.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { meantMarkets } from '../../core/alerts/meant-markets.ts';
import { isSlug, type PastedMarket, readPasted } from '../../core/alerts/pasted.ts';
import { alertPath, marketPath, walletPath } from '../../core/alerts/site-paths.ts';
import { schedulePage } from '../../http/hooks/archive-schedule.ts';
import { type ListQuery, likePath, listPath, listQuerySchema, marketsPath } from '../list-query.ts';
import type { SitePart } from '../site.ts';

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
  const pasted = readPasted(search, [new URL(part.deps.publicUrl).host]);
  switch (pasted.kind) {
    case 'wallet':
      return walletFound(pasted.ends, part, schedule);
    case 'alert': {
      const isFound = pasted.isNamed || (await isPublic(pasted.id, part));
      if (isFound) return alertPath(pasted.id);
      return (await marketNamed(search, part, schedule)) ?? listed(search);
    }
    case 'market':
      return (
        (await marketFound(pasted, part, schedule)) ?? listed(pasted.market ?? pasted.event ?? undefined)
      );
    case 'wrong':
      return listed(search);
    case 'text': {
      const { text } = pasted;
      const slug = text.toLowerCase();
      const typed = { kind: 'market', market: slug, event: slug } as const;
      const found = isSlug(slug) ? await marketFound(typed, part, schedule) : null;
      return found ?? (await marketNamed(text, part, schedule)) ?? listed(text);
    }
  }
}

/** The page of the only one; of several, and of none, the page that lists them. */
async function walletFound(
  ends: AddressEnds,
  { deps, site }: SitePart,
  { searches }: CallerSchedule,
): Promise<string> {
  const until = visibleUntil(DELAYED, deps);
  const hidden = await hiddenAddresses(site.hiddenWallets);
  const bound = { until, limit: NAMED + hidden.size };
  const named = await searches(() => deps.alerts.walletsNamed(ends, bound));
  const [found, ...others] = named.filter((wallet) => !hidden.has(wallet));
  if (found !== undefined && others.length === 0) return walletPath(found);
  return likePath(ends.end === '' ? ends.start : `${ends.start}…${ends.end}`);
}

/** An alert that is not public yet is as one that does not exist. */
async function isPublic(id: number, { deps }: SitePart): Promise<boolean> {
  const alert = await deps.alerts.byId(id);
  return alert !== null && alert.createdAt <= visibleUntil(DELAYED, deps);
}

/** The page of the only market; of several the list of the event's. */
async function marketFound(
  pasted: PastedMarket,
  { deps }: SitePart,
  { searches }: CallerSchedule,
): Promise<string | null> {
  const bound = { until: visibleUntil(DELAYED, deps), limit: NAMED };
  const { ids } = await searches(() => meantMarkets(pasted, deps.alerts, bound));
  if (ids.length > 1) return marketsPath({ event: pasted.event ?? '' });
  const [alert] = ids[0] === undefined ? [] : await deps.alerts.ofMarket(ids[0], 1);
  return alert === undefined ? null : marketPath(alert.eventSlug);
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
