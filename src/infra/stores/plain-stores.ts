import type { Database } from '../../core/database/database.ts';
import { createAuditLog } from './audit-log.ts';
import { createChatStore } from './chat-store.ts';
import type { OpenCollection } from './collection.ts';
import { createCustomerStore } from './customer-store.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createFeedHealthStore } from './feed-health-store.ts';
import { createHeartbeatStore } from './heartbeat-store.ts';
import { createJobRunStore } from './job-run-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { createOperatorReads } from './operator-reads.ts';
import { createPauseStore } from './pause-store.ts';
import { createPresetStore } from './preset-store.ts';
import { createResolutionStore } from './resolution-store.ts';
import { createSecretStore } from './secret-store.ts';
import { createStatementStore } from './statement-store.ts';
import { createUsageStore } from './usage-store.ts';
import { createWalletAgeStore } from './wallet-age-store.ts';
import { createWebhookStore } from './webhook-store.ts';

/**
 * The stores that are the same on every database. `openQuick` opens collections whose last moments may be lost in a power
 * cut, so that they do not wait for the disk.
 */
export function plainStores(open: OpenCollection, openQuick: OpenCollection) {
  return {
    audit: createAuditLog(open),
    chat: createChatStore(open),
    customers: createCustomerStore(open),
    deliveries: createDeliveryStore(open, openQuick),
    feedHealth: createFeedHealthStore(open),
    heartbeats: createHeartbeatStore(openQuick),
    jobRuns: createJobRunStore(open),
    lease: (name) => createLeaseStore(open, name),
    operatorReads: createOperatorReads(open),
    pauses: createPauseStore(open),
    presets: createPresetStore(open),
    resolutions: createResolutionStore(open),
    secrets: createSecretStore(open),
    statements: createStatementStore(open),
    usage: createUsageStore(openQuick),
    walletAges: createWalletAgeStore(open),
    webhooks: createWebhookStore(open),
  } satisfies Partial<Database>;
}

export type PlainStores = ReturnType<typeof plainStores>;
