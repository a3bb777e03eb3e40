import type { Database } from '../../../core/database.ts';
import type { Archive } from '../archive/archive.ts';
import { SEGMENT_RESULTS, SEGMENTS } from './alert-rows.ts';
import { createAlertStore } from './alert-store.ts';
import { createChatStore } from './chat-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createKeyMessageStore, createQuestionStore } from './conversation-stores.ts';
import { createCoverageStore, createWalletAgeStore } from './coverage-store.ts';
import { createCustomerStore } from './customer-store.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createExitStore } from './exit-store.ts';
import { createFollowerStore } from './follower-store.ts';
import { createHiddenWalletStore } from './hidden-wallet-store.ts';
import { createJournalStore } from './journal-store.ts';
import { createKeyStore, createUsageStore } from './key-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { createLogStore } from './log-store.ts';
import {
  createAuditLog,
  createJobRunStore,
  createOperatorAlarmStore,
  createOperatorReads,
  createOperatorRequestStore,
  createPauseStore,
  createSecretStore,
  createWorkerStore,
} from './operations-stores.ts';
import { createPriceStore } from './price-store.ts';
import { createRecordStore } from './record-store.ts';
import { createSettlementStore } from './settlement-store.ts';
import { createSnapshotStore } from './snapshot-store.ts';
import { createPresetStore, createWebhookStore } from './webhook-store.ts';

/**
 * Every store, written once for both databases. `openQuick` opens collections whose last writes may be lost in a power cut, so
 * that they do not wait for the disk; `openRestorable` those whose last writes may be lost with a primary as well.
 */
export function createStores(
  { open, openQuick, openRestorable }: Record<'open' | 'openQuick' | 'openRestorable', OpenCollection>,
  archive: Archive,
) {
  return {
    alerts: createAlertStore(open, openQuick, archive),
    audit: createAuditLog(open),
    chat: createChatStore(open),
    customers: createCustomerStore(open),
    deliveries: createDeliveryStore(open, openQuick),
    coverage: createCoverageStore(open),
    exits: createExitStore(open),
    followers: createFollowerStore(open),
    hiddenWallets: createHiddenWalletStore(open),
    ingest: createSnapshotStore(open),
    jobRuns: createJobRunStore(open),
    journal: createJournalStore(open),
    keyMessages: createKeyMessageStore(open),
    keys: createKeyStore(open),
    lease: createLeaseStore(open),
    log: createLogStore(open, openRestorable),
    operatorAlarms: createOperatorAlarmStore(open),
    operatorReads: createOperatorReads(open),
    operatorRequests: createOperatorRequestStore(open),
    pauses: createPauseStore(open),
    presets: createPresetStore(open),
    prices: createPriceStore(open, openQuick),
    questions: createQuestionStore(open),
    records: createRecordStore(openQuick),
    settlements: createSettlementStore(open),
    secrets: createSecretStore(open),
    usage: createUsageStore(openQuick),
    walletAges: createWalletAgeStore(open),
    webhooks: createWebhookStore(open),
    worker: createWorkerStore(openQuick),
  } satisfies Partial<Database>;
}

/** Every table and collection that both databases have: those that the stores open, and those of the archive. */
export function declarations(): readonly Declaration<Record<string, unknown>>[] {
  const opened = new Map<string, unknown>();
  const open: OpenCollection = (declaration) => {
    opened.set(declaration.name, declaration);
    return {} as never;
  };
  createStores({ open, openQuick: open, openRestorable: open }, {} as Archive);
  for (const stored of [SEGMENTS, SEGMENT_RESULTS]) opened.set(stored.name, stored);
  return [...opened.values()] as Declaration<Record<string, unknown>>[];
}
