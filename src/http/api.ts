import type { FastifyPluginAsync } from 'fastify';
import type { ApiDocument } from './documents/openapi-types.ts';
import { acceptApiKey, KEY_IN_HEADER, requireApiKey } from './hooks/api-key-auth.ts';
import { declareAudience } from './hooks/audience.ts';
import { registerAlertById, registerLatestAlerts, registerSearchAlerts } from './routes/alerts.ts';
import { registerCoverage } from './routes/coverage.ts';
import { registerHotMarkets, registerStats } from './routes/figures.ts';
import { registerLog, registerLogHead } from './routes/log.ts';
import { registerMe } from './routes/me.ts';
import { registerAsyncapi, registerOpenapi } from './routes/openapi.ts';
import { registerOutcomes } from './routes/outcomes.ts';
import { registerPresets } from './routes/presets.ts';
import { registerPreview } from './routes/preview.ts';
import { registerRecord } from './routes/record.ts';
import { registerMarket, registerWallet } from './routes/reports.ts';
import { registerWebhooks } from './routes/webhooks.ts';
import type { Api, ServerDeps } from './server-deps.ts';

/** The routes under the prefix: a public scope, and one that requires a key. */
export function registerApi(deps: ServerDeps, describe: () => ApiDocument): FastifyPluginAsync {
  return async (api) => {
    api.decorateRequest('caller', null);
    declareAudience(api, 'caller');
    api.decorateRequest('fingerprint', null);
    await api.register(async (open: Api) => {
      open.addHook('onRequest', acceptApiKey(deps, KEY_IN_HEADER));
      registerHotMarkets(open, deps);
      registerCoverage(open, deps);
      registerLogHead(open, deps);
      registerOpenapi(open, describe);
      registerAsyncapi(open);
    });
    await api.register(async (guarded: Api) => {
      guarded.addHook('onRequest', requireApiKey(deps, KEY_IN_HEADER));
      registerProtected(guarded, deps);
    });
  };
}

function registerProtected(guarded: Api, deps: ServerDeps): void {
  registerLatestAlerts(guarded, deps);
  registerSearchAlerts(guarded, deps);
  registerPreview(guarded, deps);
  registerAlertById(guarded, deps);
  registerWallet(guarded, deps);
  registerMarket(guarded, deps);
  registerStats(guarded, deps);
  registerOutcomes(guarded, deps);
  registerRecord(guarded, deps);
  registerLog(guarded, deps);
  registerMe(guarded, deps);
  registerPresets(guarded, deps);
  registerWebhooks(guarded, deps);
}
