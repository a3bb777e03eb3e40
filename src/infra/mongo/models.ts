import type { Connection } from 'mongoose';
import { createAlertModel } from './alert-model.ts';
import { createChunkModel, createLeaseModel } from './ingest-model.ts';
import { createListingModel } from './listings.ts';
import { createObservedHourModel, createObservedMarketModel } from './observation-model.ts';
import { createRateWindowModel } from './rate-limiter.ts';

/** The collections that are not declared for both databases, with their schemas and indexes. */
export function createModels(connection: Connection) {
  return {
    alerts: createAlertModel(connection),
    listings: createListingModel(connection),
    leases: createLeaseModel(connection),
    chunks: createChunkModel(connection),
    rateWindows: createRateWindowModel(connection),
    observedMarkets: createObservedMarketModel(connection),
    observedHours: createObservedHourModel(connection),
  };
}

export type Models = ReturnType<typeof createModels>;
