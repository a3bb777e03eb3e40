import type { FastifyInstance } from 'fastify';
import { type ApiDocument, describeApi } from './documents/describe-api.ts';
import { acceptApiKey, KEY_IN_HEADER, requireApiKey } from './hooks/api-key-auth.ts';
import { declareAudience } from './hooks/audience.ts';
import { createAddressLimit } from './hooks/rate-limit.ts';
import { registerAlertById, registerLatestAlerts, registerSearchAlerts } from './routes/alerts.ts';
import { registerCoverage } from './routes/coverage.ts';
import { registerEvents } from './routes/events.ts';
import { registerExits } from './routes/exits.ts';
import { registerFeeds } from './routes/feeds.ts';
import { registerHotMarkets, registerStats } from './routes/figures.ts';
import { registerMe } from './routes/me.ts';
import { registerDescriptions, registerLlms } from './routes/openapi.ts';
import { registerOutcomes } from './routes/outcomes.ts';
import { registerPresets } from './routes/presets.ts';
import { registerPreview } from './routes/preview.ts';
import { registerKeyedRecord, registerRecordFile } from './routes/record.ts';
import { registerMarketReport, registerWalletReport } from './routes/reports.ts';
import { registerWebhooks } from './routes/webhooks.ts';
import type { Api, ServerDeps } from './server-deps.ts';
import { registerStream } from './stream/register-stream.ts';

export function registerRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const describe = describeApi(app.routeTable, deps.freeDelayMs);
  app.register(async (open: Api) => {
    declareAudience(open, 'delayed');
    open.addHook('onRequest', createAddressLimit(deps));
    registerLlms(open, describe);
    registerFeeds(open, deps);
    registerRecordFile(open, deps);
  });
  app.register(
    async (api) => {
      api.decorateRequest('caller', null);
      declareAudience(api, 'caller');
      await api.register(async (open: Api) => registerOpen(open, deps, describe));
      await api.register(async (guarded: Api) => registerProtected(guarded, deps));
    },
    { prefix: '/api/v1' },
  );
  app.register(registerStream(deps));
  app.register(async (scope: Api) => deps.mcp(scope, deps));
  app.register(async (open: Api) => {
    declareAudience(open, 'delayed');
    deps.site.register(open, deps, describe);
  });
}

function registerOpen(open: Api, deps: ServerDeps, describe: () => ApiDocument): void {
  open.addHook('onRequest', acceptApiKey(deps, KEY_IN_HEADER));
  registerHotMarkets(open, deps);
  registerCoverage(open, deps);
  registerEvents(open, deps);
  registerDescriptions(open, describe);
}

function registerProtected(guarded: Api, deps: ServerDeps): void {
  guarded.addHook('onRequest', requireApiKey(deps, KEY_IN_HEADER));
  registerLatestAlerts(guarded, deps);
  registerSearchAlerts(guarded, deps);
  registerPreview(guarded, deps);
  registerAlertById(guarded, deps);
  registerWalletReport(guarded, deps);
  registerMarketReport(guarded, deps);
  registerStats(guarded, deps);
  registerOutcomes(guarded, deps);
  registerExits(guarded, deps);
  registerKeyedRecord(guarded, deps);
  registerMe(guarded, deps);
  registerPresets(guarded, deps);
  registerWebhooks(guarded, deps);
}
