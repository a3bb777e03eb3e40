import type { LogStore } from '../../../core/alerts/log/log-store.ts';
import type { Database } from '../../../core/database.ts';
import { createChatStore } from './chat-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createKeyMessageStore, createQuestionStore } from './conversation-stores.ts';
import { createFeedHealthStore, createWalletAgeStore } from './coverage-store.ts';
import { createCustomerStore } from './customer-store.ts';
import { createDeliveryStore } from './delivery-store.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createJournalStore, type PutInJournal } from './journal-store.ts';
import { createKeyStore, createUsageStore, type SpecialKeyStore } from './key-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { createLogStore } from './log-store.ts';
import {
  createAuditLog,
  createHeartbeatStore,
  createJobRunStore,
  createOperatorReads,
  createPauseStore,
  createSecretStore,
} from './operations-stores.ts';
import { createOperatorAlarmStore, createOperatorRequestStore } from './operator-stores.ts';
import { createRecordStore } from './record-store.ts';
import { createResolutionStore } from './settlement-store.ts';
import { createStatementStore } from './statement-store.ts';
import { createPresetStore, createWebhookStore } from './webhook-store.ts';

/** What each database does its own way. */
export interface SpecialParts {
  readonly keys: SpecialKeyStore;
  readonly appendToLog: LogStore['append'];
  readonly putInJournal: PutInJournal;
}

/**
 * The stores that are written once for both databases. `openQuick` opens collections whose last writes may be lost in a power
 * cut, so that they do not wait for the disk.
 */
export function plainStores(open: OpenCollection, openQuick: OpenCollection, special: SpecialParts) {
  return {
    audit: createAuditLog(open),
    chat: createChatStore(open),
    customers: createCustomerStore(open),
    deliveries: createDeliveryStore(open, openQuick),
    feedHealth: createFeedHealthStore(open),
    heartbeats: createHeartbeatStore(openQuick),
    idempotency: createIdempotencyStore(open),
    jobRuns: createJobRunStore(open),
    journal: createJournalStore(open, special.putInJournal),
    keyMessages: createKeyMessageStore(open),
    keys: createKeyStore(open, special.keys),
    lease: (name) => createLeaseStore(open, name),
    log: createLogStore(open, special.appendToLog),
    operatorAlarms: createOperatorAlarmStore(open),
    operatorReads: createOperatorReads(open),
    operatorRequests: createOperatorRequestStore(open),
    pauses: createPauseStore(open),
    presets: createPresetStore(open),
    questions: createQuestionStore(open),
    records: createRecordStore(openQuick),
    resolutions: createResolutionStore(open),
    secrets: createSecretStore(open),
    statements: createStatementStore(open),
    usage: createUsageStore(openQuick),
    walletAges: createWalletAgeStore(open),
    webhooks: createWebhookStore(open),
  } satisfies Partial<Database>;
}

export type PlainStores = ReturnType<typeof plainStores>;

/** Every table and collection that both databases have: those that the stores open. */
export function declarations(): readonly Declaration<Record<string, unknown>>[] {
  const opened = new Map<string, unknown>();
  const open: OpenCollection = (declaration) => {
    opened.set(declaration.name, declaration);
    return {} as never;
  };
  plainStores(open, open, {} as SpecialParts).lease('bots');
  return [...opened.values()] as Declaration<Record<string, unknown>>[];
}
