import type { Connection } from 'mongoose';
import { ALERT_INDEXES, type AlertDocument } from './alert-model.ts';
import { createModel } from './create-model.ts';
import { CHUNK_INDEXES, type ChunkDocument, type LeaseDocument } from './ingest-model.ts';
import type { ListingDocument } from './listings.ts';
import {
  OBSERVED_MARKET_INDEXES,
  type ObservedHourDocument,
  type ObservedMarketDocument,
} from './observation-model.ts';
import { RATE_WINDOW_INDEXES, RATE_WINDOWS, type RateWindowDocument } from './rate-limiter.ts';

/** The collections that are not declared for both databases, with their indexes. */
export function createModels(connection: Connection) {
  return {
    alerts: createModel<AlertDocument>(connection, 'alerts', ALERT_INDEXES),
    listings: createModel<ListingDocument>(connection, 'listings', [[{ marketId: 1 }]]),
    leases: createModel<LeaseDocument>(connection, 'lease'),
    chunks: createModel<ChunkDocument>(connection, 'snapshot_chunks', CHUNK_INDEXES),
    rateWindows: createModel<RateWindowDocument>(connection, RATE_WINDOWS, RATE_WINDOW_INDEXES),
    observedMarkets: createModel<ObservedMarketDocument>(
      connection,
      'observed_markets',
      OBSERVED_MARKET_INDEXES,
    ),
    observedHours: createModel<ObservedHourDocument>(connection, 'observed_hours'),
  };
}

export type Models = ReturnType<typeof createModels>;
