import { createAddressLimit } from '../http/hooks/rate-limit.ts';
import type { Api, ServerSite } from '../http/server-deps.ts';
import { registerAlert, registerAlertJson } from './routes/alert.ts';
import { registerCard } from './routes/card.ts';
import { registerErrorCodes, registerOverview, TAG_PAGES } from './routes/documents.ts';
import { registerAssets, registerRobots } from './routes/files.ts';
import { registerAbout, registerLog, registerRecord, registerStatus } from './routes/fixed-pages.ts';
import { registerHome } from './routes/home.ts';
import { registerMarket } from './routes/market.ts';
import { registerMarkets } from './routes/markets.ts';
import { registerSearch } from './routes/search.ts';
import { registerServiceImages } from './routes/service-images.ts';
import { registerWallet } from './routes/wallet.ts';
import { errorsAsDocuments, sendNotFound } from './short-pages.ts';
import type { SiteDeps, SitePart } from './site.ts';

/** A page, its picture and its readings while it is open are several requests; a program needs one. */
const REQUESTS_PER_CALL = 5;
const LIMITED = [
  registerHome,
  registerAlert,
  registerAlertJson,
  registerMarket,
  registerWallet,
  registerMarkets,
  registerSearch,
  registerRecord,
  registerStatus,
  registerLog,
  registerAbout,
  registerOverview,
  registerErrorCodes,
  ...TAG_PAGES,
  registerRobots,
  registerCard,
  registerServiceImages,
];

export function createSite(site: SiteDeps): ServerSite {
  return {
    pages: site.pages,
    register: (app, deps, describe) => registerSite({ app, deps, site, describe }),
    sendMissingPage: (reply, deps) => sendNotFound(reply, deps, site),
  };
}

function registerSite(part: SitePart): void {
  const { app, deps, site } = part;
  const { publicRequestsPerMinute: calls } = deps;
  const publicRequestsPerMinute = calls === null ? null : calls * REQUESTS_PER_CALL;
  registerAssets(app);
  app.register(async (pages: Api) => {
    pages.addHook('onRequest', createAddressLimit({ addressLimiter: site.limiter, publicRequestsPerMinute }));
    pages.addHook('preSerialization', errorsAsDocuments(deps, site));
    for (const register of LIMITED) register({ ...part, app: pages });
  });
}
