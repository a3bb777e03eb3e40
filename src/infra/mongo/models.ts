import type { Connection } from 'mongoose';
import { createAlertModel } from './alert-model.ts';
import { createAuditModel } from './audit-log.ts';
import { createChatMessageModel } from './chat-model.ts';
import { createCustomerModel, createPastTrialModel } from './customer-store.ts';
import { createDeliveryCursorModel, createDeliveryModel } from './delivery-model.ts';
import { createBlindWindowModel, createFeedPositionModel } from './feed-health-store.ts';
import { createHandleModel } from './handles.ts';
import { createHeartbeatModel } from './heartbeat-store.ts';
import { createChunkModel, createLeaseModel } from './ingest-model.ts';
import { createJobRunModel } from './job-run-store.ts';
import { createJournalModel } from './journal-model.ts';
import { createKeyModel } from './key-model.ts';
import { createLinkCodeModel } from './link-codes.ts';
import { createListingModel } from './listings.ts';
import { createLogModel } from './log-store.ts';
import { createObservedHourModel, createObservedMarketModel } from './observation-model.ts';
import { createPauseModel } from './pause-store.ts';
import { createPresetModel } from './preset-store.ts';
import { createRateWindowModel } from './rate-limiter.ts';
import { createResolutionModel } from './resolution-store.ts';
import { createSecretModel } from './secret-store.ts';
import { createStatementModel } from './statement-store.ts';
import { createUsageModel } from './usage-store.ts';
import { createWalletAgeModel } from './wallet-age-store.ts';
import { createWebhookModel } from './webhook-store.ts';

/** Every collection of the service, with its schema and indexes. */
export function createModels(connection: Connection) {
  return {
    alerts: createAlertModel(connection),
    listings: createListingModel(connection),
    resolutions: createResolutionModel(connection),
    leases: createLeaseModel(connection),
    chunks: createChunkModel(connection),
    journal: createJournalModel(connection),
    keys: createKeyModel(connection),
    customers: createCustomerModel(connection),
    handles: createHandleModel(connection),
    linkCodes: createLinkCodeModel(connection),
    pastTrials: createPastTrialModel(connection),
    usage: createUsageModel(connection),
    rateWindows: createRateWindowModel(connection),
    presets: createPresetModel(connection),
    walletAges: createWalletAgeModel(connection),
    webhooks: createWebhookModel(connection),
    secrets: createSecretModel(connection),
    audit: createAuditModel(connection),
    chatMessages: createChatMessageModel(connection),
    deliveries: createDeliveryModel(connection),
    deliveryCursors: createDeliveryCursorModel(connection),
    pauses: createPauseModel(connection),
    jobRuns: createJobRunModel(connection),
    heartbeats: createHeartbeatModel(connection),
    blindWindows: createBlindWindowModel(connection),
    feedPositions: createFeedPositionModel(connection),
    log: createLogModel(connection),
    observedMarkets: createObservedMarketModel(connection),
    observedHours: createObservedHourModel(connection),
    statements: createStatementModel(connection),
  };
}

export type Models = ReturnType<typeof createModels>;
