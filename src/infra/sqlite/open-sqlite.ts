import type { Database } from '../../core/database/database.ts';
import type { Logger } from '../../core/logger.ts';
import { createSqliteAlertStore } from './alert-store.ts';
import { createInlineArchive, createWorkerArchive } from './archive-access.ts';
import { createSqliteAuditLog } from './audit-log.ts';
import { createSqliteChatStore } from './chat-store.ts';
import { openWriter, type Synchronous } from './connection.ts';
import { createSqliteCustomerStore } from './customer-store.ts';
import { createSqliteDeliveryStore } from './delivery-store.ts';
import { createSqliteFeedHealthStore } from './feed-health-store.ts';
import { createSqliteHeartbeatStore } from './heartbeat-store.ts';
import { createSqliteIngestStore } from './ingest-store.ts';
import { createSqliteJobRunStore } from './job-run-store.ts';
import { createSqliteJournalStore } from './journal-store.ts';
import { createSqliteKeyStore } from './key-store.ts';
import { createSqliteLeaseStore } from './lease-store.ts';
import { createSqliteLogStore } from './log-store.ts';
import { createSqliteObservationStore } from './observation-store.ts';
import { MEMORY, openMigrated } from './open-migrated.ts';
import { createSqliteOperatorReads } from './operator-reads.ts';
import { createSqlitePauseStore } from './pause-store.ts';
import { createSqlitePresetStore } from './preset-store.ts';
import { createSqliteResolutionStore } from './resolution-store.ts';
import { createSqliteSecretStore } from './secret-store.ts';
import { createSqliteStatementStore } from './statement-store.ts';
import { createSqliteUsageStore } from './usage-store.ts';
import { createSqliteWalletAgeStore } from './wallet-age-store.ts';
import { createSqliteWebhookStore } from './webhook-store.ts';

/** One thread reads; the second read waits beside it, so that the thread is never idle between two. */
const ARCHIVE_CONCURRENCY = 2;

export interface SqliteOptions {
  /** Path of the file, made with its folder for this user alone when it is not there; or `:memory:`. */
  readonly path: string;
  /** Default `FULL`: what was written survives a power cut. */
  readonly synchronous?: Synchronous;
  /** Hears of migrations, and of a file that other users can read. */
  readonly logger?: Logger | undefined;
}

/** Opens an SQLite file as the service's database. Throws when it cannot be written or is of a newer build. */
export async function openSqlite({ path, synchronous = 'FULL', logger }: SqliteOptions): Promise<Database> {
  const db = openMigrated(path, synchronous, logger);
  // What may lose its last moments in a power cut does not wait for the disk on the thread that serves.
  const counters = path === MEMORY ? db : openWriter(path, synchronous === 'OFF' ? 'OFF' : 'NORMAL');
  const archive = path === MEMORY ? createInlineArchive(db) : createWorkerArchive(path);
  return {
    kind: 'sqlite',
    alerts: createSqliteAlertStore(db, archive),
    archiveConcurrency: ARCHIVE_CONCURRENCY,
    resolutions: createSqliteResolutionStore(db),
    ingest: createSqliteIngestStore(db),
    journal: createSqliteJournalStore(db),
    keys: createSqliteKeyStore(db),
    usage: createSqliteUsageStore(counters),
    sharedLimiter: null,
    customers: createSqliteCustomerStore(db),
    presets: createSqlitePresetStore(db),
    walletAges: createSqliteWalletAgeStore(db),
    webhooks: createSqliteWebhookStore(db),
    deliveries: createSqliteDeliveryStore(db, counters),
    audit: createSqliteAuditLog(db),
    operatorReads: createSqliteOperatorReads(db),
    pauses: createSqlitePauseStore(db),
    jobRuns: createSqliteJobRunStore(db),
    heartbeats: createSqliteHeartbeatStore(counters),
    chat: createSqliteChatStore(db),
    feedHealth: createSqliteFeedHealthStore(db),
    log: createSqliteLogStore(db),
    observations: createSqliteObservationStore(db),
    statements: createSqliteStatementStore(db),
    lease: (name) => createSqliteLeaseStore(db, name),
    secrets: createSqliteSecretStore(db),
    ping: async () => {
      db.prepare('SELECT 1 FROM alerts LIMIT 1').get();
    },
    close: async () => {
      await archive.close();
      for (const connection of new Set([counters, db])) if (connection.isOpen) connection.close();
    },
  };
}
