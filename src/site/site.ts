import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import type { RateLimiter } from '../core/accounts/limits/rate-limiter.ts';
import type { HiddenWallets } from '../core/alerts/hidden-wallets.ts';
import type { WorkerReport } from '../core/operations/worker-report.ts';
import type { MarketPrices } from '../core/record/prices/market-prices.ts';
import type { ApiDocument } from '../http/documents/describe-api.ts';
import { pageInTurn } from '../http/hooks/read-turn.ts';
import type { Api, ServerDeps } from '../http/server-deps.ts';
import type { MadePage, PageCache } from '../http/views/page-cache.ts';
import { ReadyAnswer } from '../http/views/ready-answer.ts';
import type { Cards } from './cards.ts';
import { documentOf, type Page } from './layout.ts';
import { HTML, SITE_POLICY, sendNotFound } from './short-pages.ts';

export interface SiteDeps {
  /** A sentence that every page begins with; null without one. */
  readonly notice: () => string | null;
  readonly pages: PageCache;
  /** Of requests by address. In this process alone: a view must not cost a write to the database. */
  readonly limiter: RateLimiter;
  readonly cards: Pick<Cards, 'get'>;
  readonly prices: MarketPrices;
  readonly hiddenWallets: Pick<HiddenWallets, 'list'>;
  readonly source: 'market' | 'tape' | 'none';
  /** The command that opens the bot in a terminal; null where visitors have no use for it. */
  readonly terminalBot: string | null;
  /** Of all processes of the service; empty while the database is unavailable. */
  readonly worker: () => Promise<WorkerReport | null>;
  /** Where people can write to the operator, `mailto:` or `https:`; null if it is not set. */
  readonly contact: string | null;
}

export interface SitePart {
  readonly app: Api;
  readonly deps: ServerDeps;
  readonly site: SiteDeps;
  readonly describe: () => ApiDocument;
}

interface AskedPage<Query> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
}

export type WritePage = () => Page;

interface PageRoute<Query> {
  readonly url: string;
  readonly query?: z.ZodType<Query>;
  /** The one path of the page; null if there is none. Default: that of the route. */
  path?(params: AskedPage<Query>['params']): string | null;
  /** Two requests with the same name get the same bytes. Default: the path. */
  name?(path: string, query: Query, part: SitePart): string;
  /** Reads what the page shows. Resolves to what writes it, in a later turn of the event loop; null: there is no page. */
  read(part: SitePart, asked: AskedPage<Query>): Promise<WritePage | null> | WritePage;
}

export function pageRoute<Query>(route: PageRoute<Query>): (part: SitePart) => void {
  const { url, query: querystring, path: pathOf, name: nameOf } = route;
  return (part) => {
    const { app, deps, site } = part;
    const schema = querystring === undefined ? {} : { querystring };
    app.get(url, { schema }, async (request, reply) => {
      const asked = { params: request.params, query: request.query } as AskedPage<Query>;
      const path = pathOf === undefined ? url : pathOf(asked.params);
      if (path === null) return sendNotFound(reply, deps, site);
      const [given = '', search] = request.url.split('?', 2);
      if (given !== path) {
        reply.header('cache-control', 'public, max-age=86400');
        return reply.redirect(search === undefined ? path : `${path}?${search}`, 301);
      }
      const make = async (): Promise<MadePage | null> => {
        const write = await route.read(part, asked);
        return write && makePage(write, part);
      };
      const name = nameOf?.(path, asked.query, part) ?? path;
      const found = await site.pages.get(name, () => pageInTurn(request, deps, make));
      if (found === null) return sendNotFound(reply, deps, site);
      return found.send(request, reply);
    });
  };
}

/** Kept, and asked for again each time: the tag decides. */
const CACHE = 'public, no-cache';

/** Writes and frames a page, each in a turn of the event loop of its own. */
export async function makePage(write: WritePage, { deps, site }: SitePart): Promise<MadePage> {
  await nextTurn();
  const page = write();
  await nextTurn();
  const text = documentOf(page, deps.publicUrl, site.notice());
  const headers = { 'content-security-policy': SITE_POLICY };
  const answer = new ReadyAnswer(text, { contentType: HTML, cacheControl: CACHE, headers });
  return { answer, bytes: text.length, topics: page.topics ?? [] };
}
