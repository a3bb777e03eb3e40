import type { Lease } from '../../../core/base/lease/lease.ts';
import type { Database } from '../../../core/database.ts';
import type { Archive } from '../archive/archive.ts';
import { SEGMENT_RESULTS, SEGMENTS } from './alert-rows.ts';
import { createAlertStore } from './alert-store.ts';
import { createChatStore } from './chat-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createKeyMessageStore, createQuestionStore } from './conversation-stores.ts';
import { createCoverageStore, createWalletAgeStore } from './coverage-store.ts';
import { createCustomerStore } from './customer-store.ts';
import { createExitStore } from './exit-store.ts';
import { createFollowerStore } from './follower-store.ts';
import { createKeyStore, createUsageStore } from './key-store.ts';
import { createLogStore } from './log-store.ts';
import { createObservationStore } from './observation-store.ts';
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
import { createRecordStore } from './record-store.ts';
import { createSettlementStore } from './settlement-store.ts';

/**
 * Every store, written once for both databases. `openQuick` opens collections whose last writes may be lost in a power cut, so
 * that they do not wait for the disk; `openRestorable` those whose last writes may be lost with a primary as well.
 */
export function createStores(
  { open, openQuick, openRestorable }: Record<'open' | 'openQuick' | 'openRestorable', OpenCollection>,
  archive: Archive,
  isHeld: (lease: Lease) => Promise<boolean>,
) {
  return {
    alerts: createAlertStore(open, openQuick, archive),
    audit: createAuditLog(open),
    chat: createChatStore(open),
    customers: createCustomerStore(open),
    coverage: createCoverageStore(open),
    exits: createExitStore(open),
    followers: createFollowerStore(open),
    jobRuns: createJobRunStore(open),
    keyMessages: createKeyMessageStore(open),
    keys: createKeyStore(open),
    log: createLogStore(open, openRestorable),
    observations: createObservationStore(openQuick, isHeld),
    operatorAlarms: createOperatorAlarmStore(open),
    operatorReads: createOperatorReads(open),
    operatorRequests: createOperatorRequestStore(open),
    pauses: createPauseStore(open),
    questions: createQuestionStore(open),
    records: createRecordStore(openQuick),
    settlements: createSettlementStore(open),
    secrets: createSecretStore(open),
    usage: createUsageStore(openQuick),
    walletAges: createWalletAgeStore(open),
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
  createStores({ open, openQuick: open, openRestorable: open }, {} as Archive, async () => false);
  for (const stored of [SEGMENTS, SEGMENT_RESULTS]) opened.set(stored.name, stored);
  return [...opened.values()] as Declaration<Record<string, unknown>>[];
}
