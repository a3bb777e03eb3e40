import type { Alert } from '../../core/alerts/alert.ts';
import type { AddressEnds } from '../../core/alerts/alert-store.ts';
import { DELAYED, visibleUntil } from '../../core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../core/alerts/hidden-wallets.ts';
import { meantMarkets } from '../../core/alerts/meant-markets.ts';
import { isSlug, type Pasted, readPasted } from '../../core/alerts/pasted.ts';
import { alertPath, marketPath, SEARCH_PATH, walletPath } from '../../core/alerts/site-paths.ts';
import { pageInTurn } from '../../http/hooks/read-turn.ts';
import { listedAlerts } from '../alert-prices.ts';
import { searchQuerySchema } from '../list-query.ts';
import { type SearchModel, searchPage, WALLETS_MAX } from '../pages/search.ts';
import { makePage, type SitePart } from '../site.ts';
import { namesHidden } from './home.ts';
import { readMarkets } from './markets.ts';

const MARKETS = 10;
const BETS = 10;
const NO_BETS: SearchModel['bets'] = { newest: [], total: 0 };

/** The search of the site: redirects to the page of what the text names, or shows all that it finds. */
export function registerSearch(part: SitePart): void {
  const schema = { querystring: searchQuerySchema };
  part.app.get(SEARCH_PATH, { schema }, async (request, reply) => {
    const { search = '' } = request.query;
    const found = await pageInTurn(request, part.deps, async () => {
      const answer = await answerTo(search, part);
      return typeof answer === 'string' ? answer : makePage(() => searchPage(answer), part);
    });
    if (typeof found !== 'string') return found.answer.send(request, reply);
    return reply.header('cache-control', 'no-store').redirect(found, 303);
  });
}

/** The path of the page that the text names; otherwise all that it finds. */
async function answerTo(search: string, part: SitePart): Promise<string | SearchModel> {
  const pasted = readPasted(search, [new URL(part.deps.publicUrl).host]);
  if (pasted.kind === 'wallet') {
    const wallets = await walletsNamed(pasted.ends, part);
    const [wallet] = wallets;
    if (wallet !== undefined && wallets.length === 1) return walletPath(wallet);
    // Their bets would tell hidden wallets.
    return readModel({ search, hasBets: false, marketIds: [], wallets }, part);
  }
  if (pasted.kind === 'alert' && (pasted.isNamed || (await isPublic(pasted.id, part))))
    return alertPath(pasted.id);
  const text = textOf(pasted) ?? search;
  const marketIds = text === '' ? [] : await marketsNamed({ pasted, text }, part);
  const path = marketIds.length === 1 ? await pathOfMarket(marketIds[0] ?? '', part) : null;
  return path ?? readModel({ search, hasBets: search !== '', marketIds, wallets: [] }, part);
}

function textOf(pasted: Pasted): string | null {
  if (pasted.kind === 'market') return pasted.market ?? pasted.event;
  return pasted.kind === 'text' ? pasted.text : null;
}

async function walletsNamed(ends: AddressEnds, { deps, site }: SitePart): Promise<readonly string[]> {
  const hidden = await hiddenAddresses(site.hiddenWallets);
  const bound = { until: visibleUntil(DELAYED, deps), limit: WALLETS_MAX + hidden.size };
  const named = await deps.alerts.walletsNamed(ends, bound);
  return named.filter((wallet) => !hidden.has(wallet)).slice(0, WALLETS_MAX);
}

/** An alert that is not public yet is as one that does not exist. */
async function isPublic(id: number, { deps }: SitePart): Promise<boolean> {
  return (await deps.alerts.visible(id, visibleUntil(DELAYED, deps))) !== null;
}

/** Those of a link, a slug or an id, otherwise those that have all words. */
async function marketsNamed(
  { pasted, text }: { readonly pasted: Pasted; readonly text: string },
  { deps }: SitePart,
): Promise<readonly string[]> {
  const bound = { until: visibleUntil(DELAYED, deps), limit: MARKETS };
  const slug = text.toLowerCase();
  const typed = isSlug(slug) ? ({ kind: 'market', market: slug, event: slug } as const) : null;
  const meant = pasted.kind === 'market' ? pasted : typed;
  const { ids } = meant === null ? { ids: [] } : await meantMarkets(meant, deps.alerts, bound);
  return ids.length > 0 ? ids : deps.alerts.marketsNamed(text, bound);
}

/** Null where the market's slug cannot be a part of a path. */
async function pathOfMarket(marketId: string, { deps }: SitePart): Promise<string | null> {
  const [alert] = await deps.alerts.ofMarket(marketId, 1);
  return alert === undefined ? null : marketPath(alert.eventSlug);
}

interface Named extends Pick<SearchModel, 'search' | 'wallets'> {
  readonly hasBets: boolean;
  readonly marketIds: readonly string[];
}

async function readModel(
  { search, hasBets, marketIds, wallets }: Named,
  part: SitePart,
): Promise<SearchModel> {
  const [markets, bets] = await Promise.all([
    readMarkets(marketIds, part),
    hasBets ? readBets(search, part) : NO_BETS,
  ]);
  const isNothing = marketIds.length + wallets.length + bets.total === 0;
  return { search, markets, wallets, bets, example: isNothing ? await readExample(part) : null };
}

async function readBets(search: string, { deps, site }: SitePart): Promise<SearchModel['bets']> {
  // The archive reads links of any host: they may name a wallet, too.
  if (await namesHidden({ search }, { site })) return NO_BETS;
  const until = visibleUntil(DELAYED, deps);
  const filter = { search, until, asOf: until, isPerBet: true };
  const { alerts, total } = await deps.alerts.search(filter, { page: 1, pageSize: BETS });
  const sources = { prices: site.prices, exits: deps.exits };
  return { newest: await listedAlerts(alerts, sources, until), total };
}

async function readExample({ deps }: SitePart): Promise<Alert | null> {
  const until = visibleUntil(DELAYED, deps);
  const { alerts } = await deps.alerts.search({ until, asOf: until }, { page: 1, pageSize: 1 });
  return alerts[0] ?? null;
}
