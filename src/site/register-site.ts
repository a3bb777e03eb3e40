import { ABOUT_ERRORS, type ErrorsDocument } from '../http/documents/errors-page.ts';
import { createAddressLimit } from '../http/hooks/rate-limit.ts';
import type { Api, ServerDeps, ServerSite } from '../http/server-deps.ts';
import { documentOf } from './layout.ts';
import { errorsPage } from './pages/errors.ts';
import { registerAlert } from './routes/alert.ts';
import { registerAssets } from './routes/assets.ts';
import { registerCard } from './routes/card.ts';
import { registerCrawlerFiles } from './routes/crawler-files.ts';
import { registerAbout, registerDevelopers, registerRecordPage } from './routes/fixed-pages.ts';
import { registerHome } from './routes/home.ts';
import { registerLive } from './routes/live.ts';
import { registerMarketPage } from './routes/market.ts';
import { registerStatus } from './routes/status.ts';
import { registerWalletPage } from './routes/wallet.ts';
import { errorsAsDocuments, SITE_POLICY, sendNotFound } from './site.ts';
import type { SiteDeps } from './site-deps.ts';

/** A page, its live connection and its picture are several requests; a program needs one. */
const REQUESTS_PER_CALL = 5;

/** The pages for people, as the server takes them. */
export function createSite(site: SiteDeps): ServerSite {
  return {
    pages: site.pages,
    register: (app, deps) => registerSite(app, deps, site),
    sendMissingPage: sendNotFound,
    errorsDocument: errorsInSite,
    close: () => site.live.close(),
  };
}

function registerSite(app: Api, deps: ServerDeps, site: SiteDeps): void {
  const part = { app, deps, site };
  registerAssets(part);
  const { publicRequestsPerMinute: calls } = deps;
  const publicRequestsPerMinute = calls === null ? null : calls * REQUESTS_PER_CALL;
  app.register(async (pages: Api) => {
    pages.addHook('onRequest', createAddressLimit({ rateLimiter: site.limiter, publicRequestsPerMinute }));
    pages.addHook('preSerialization', errorsAsDocuments);
    const limited = { ...part, app: pages };
    registerHome(limited);
    registerAlert(limited);
    registerMarketPage(limited);
    registerWalletPage(limited);
    registerLive(limited);
    registerCrawlerFiles(limited);
    registerCard(limited);
    registerRecordPage(limited);
    registerStatus(limited);
    registerDevelopers(limited);
    registerAbout(limited);
  });
}

/** `/docs/errors` in the look of the site. */
function errorsInSite(publicUrl: string): ErrorsDocument {
  return { html: documentOf(errorsPage(ABOUT_ERRORS), publicUrl), policy: SITE_POLICY };
}
