import type { Connection } from 'mongoose';
import { createAlertModel } from './alert-model.ts';
import { createCustomerModel, createPastTrialModel } from './customer-store.ts';
import { createDeliveryCursorModel, createDeliveryModel } from './delivery-model.ts';
import { createHandleModel } from './handles.ts';
import { createChunkModel, createLeaseModel } from './ingest-model.ts';
import { createKeyModel } from './key-model.ts';
import { createLinkCodeModel } from './link-codes.ts';
import { createListingModel } from './listings.ts';
import { createNoticeModel } from './notice-store.ts';
import { createPresetModel } from './preset-store.ts';
import { createRateWindowModel } from './rate-limiter.ts';
import { createResolutionModel } from './resolution-store.ts';
import { createSecretModel } from './secret-store.ts';
import { createUsageModel } from './usage-store.ts';
import { createWebhookModel } from './webhook-store.ts';

/** Every collection of the service, with its schema and indexes. */
export function createModels(connection: Connection) {
  return {
    alerts: createAlertModel(connection),
    listings: createListingModel(connection),
    resolutions: createResolutionModel(connection),
    leases: createLeaseModel(connection),
    chunks: createChunkModel(connection),
    keys: createKeyModel(connection),
    customers: createCustomerModel(connection),
    handles: createHandleModel(connection),
    linkCodes: createLinkCodeModel(connection),
    pastTrials: createPastTrialModel(connection),
    usage: createUsageModel(connection),
    rateWindows: createRateWindowModel(connection),
    presets: createPresetModel(connection),
    webhooks: createWebhookModel(connection),
    secrets: createSecretModel(connection),
    notices: createNoticeModel(connection),
    deliveries: createDeliveryModel(connection),
    deliveryCursors: createDeliveryCursorModel(connection),
  };
}

export type Models = ReturnType<typeof createModels>;
