import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../core/database/database.ts';
import { createArchive } from '../database/archive.ts';
import { createMongoAlertStore } from './alert-store.ts';
import { createMongoArchiveQueries } from './archive-queries.ts';
import { createMongoAuditLog } from './audit-log.ts';
import { createMongoChatStore } from './chat-store.ts';
import { closeInTime, connect } from './connect.ts';
import { createMongoCustomerStore } from './customer-store.ts';
import { createMongoDeliveryStore } from './delivery-store.ts';
import { createMongoFeedHealthStore } from './feed-health-store.ts';
import { createMongoHeartbeatStore } from './heartbeat-store.ts';
import { createMongoIngestStore } from './ingest-store.ts';
import { createMongoJobRunStore } from './job-run-store.ts';
import { createMongoJournalStore } from './journal-store.ts';
import { createMongoKeyStore } from './key-store.ts';
import { createMongoLeaseStore } from './lease-store.ts';
import { createMongoLogStore } from './log-store.ts';
import { migrate } from './migrate.ts';
import { createModels } from './models.ts';
import { createMongoObservationStore } from './observation-store.ts';
import { createMongoOperatorReads } from './operator-reads.ts';
import { createMongoPauseStore } from './pause-store.ts';
import { createMongoPresetStore } from './preset-store.ts';
import type { ProgressLog } from './progress.ts';
import { createMongoRateLimiter } from './rate-limiter.ts';
import { createMongoResolutionStore } from './resolution-store.ts';
import { createMongoSecretStore } from './secret-store.ts';
import { createMongoStatementStore } from './statement-store.ts';
import { createMongoUsageStore } from './usage-store.ts';
import { createMongoWalletAgeStore } from './wallet-age-store.ts';
import { createMongoWebhookStore } from './webhook-store.ts';

/** Far below the driver's 100 connections, which everything else shares. */
const ARCHIVE_CONCURRENCY = 8;

export interface MongoOptions extends ProgressLog {
  readonly uri: string;
}

/**
 * Opens a MongoDB database: a stand-alone server, a replica set or a managed cluster. Throws within about 4 s when
 * none answers, when the database is of a newer build, and when an index cannot be built. No error repeats the URI's
 * credentials.
 */
export async function openMongo({ uri, ...log }: MongoOptions): Promise<Database> {
  await migrateFirst(uri, log);
  return openMigratedMongo(uri, log.clock);
}

/** As `openMongo`, for a database that is known to have this build's schema. */
export async function openMigratedMongo(uri: string, clock: Clock): Promise<Database> {
  const connection = await connect(uri);
  const models = createModels(connection);
  const archive = createArchive(createMongoArchiveQueries(models));
  return {
    kind: 'mongodb',
    alerts: createMongoAlertStore(models, archive),
    archiveConcurrency: ARCHIVE_CONCURRENCY,
    resolutions: createMongoResolutionStore(models.resolutions),
    ingest: createMongoIngestStore(models),
    journal: createMongoJournalStore(models),
    keys: createMongoKeyStore(models.keys),
    usage: createMongoUsageStore(models.usage),
    sharedLimiter: createMongoRateLimiter(connection),
    customers: createMongoCustomerStore(models),
    presets: createMongoPresetStore(models.presets),
    walletAges: createMongoWalletAgeStore(models.walletAges),
    webhooks: createMongoWebhookStore(models.webhooks),
    deliveries: createMongoDeliveryStore(models),
    audit: createMongoAuditLog(models.audit),
    operatorReads: createMongoOperatorReads(models),
    pauses: createMongoPauseStore(models.pauses),
    jobRuns: createMongoJobRunStore(models.jobRuns),
    heartbeats: createMongoHeartbeatStore(models.heartbeats),
    chat: createMongoChatStore(models),
    feedHealth: createMongoFeedHealthStore(models),
    log: createMongoLogStore(models.log),
    observations: createMongoObservationStore(models),
    statements: createMongoStatementStore(models.statements),
    lease: (name) => createMongoLeaseStore(models.leases, name),
    secrets: createMongoSecretStore(models.secrets),
    ping: async () => {
      await connection.db?.command({ ping: 1 });
    },
    close: () => closeInTime(connection, clock),
  };
}

/** Over a connection of its own: an index of a large collection takes minutes. */
async function migrateFirst(uri: string, log: ProgressLog): Promise<void> {
  const connection = await connect(uri, { socketTimeoutMS: 0 });
  try {
    await migrate(connection, createModels(connection), log);
  } finally {
    await closeInTime(connection, log.clock);
  }
}
