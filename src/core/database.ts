import { Customers } from './accounts/customers/customer.ts';
import type { KeyStore, UsageStore } from './accounts/keys/api-key.ts';
import type { RateLimiter } from './accounts/limits/rate-limiter.ts';
import { Presets } from './accounts/presets/preset.ts';
import type { AlertStore } from './alerts/alert-store.ts';
import type { ExitStore } from './alerts/exits/exit.ts';
import { HiddenWallets } from './alerts/hidden-wallets.ts';
import type { GroupLimits } from './alerts/ledger/ledger.ts';
import type { LogStore } from './alerts/log/log-store.ts';
import type { SettlementStore } from './alerts/settlement.ts';
import type { OpenDocuments } from './base/documents/documents.ts';
import type { LeaseStore } from './base/lease/lease.ts';
import type { EpochMs } from './base/time/duration.ts';
import type { ChatStore } from './chat/chat-store.ts';
import { StoredKeyMessages } from './chat/key-messages.ts';
import { OpenQuestions } from './chat/open-questions.ts';
import type { DeliveryStore } from './delivery/webhooks/delivery.ts';
import type { WebhookStore } from './delivery/webhooks/webhook.ts';
import { Followers } from './follow/follower.ts';
import type { JournalStore, SnapshotStore } from './ingest/ingest-stores.ts';
import { AuditLog, type OperatorReads } from './operations/audit-log.ts';
import { JobRuns } from './operations/job-run-store.ts';
import { OperatorAlarms } from './operations/operator-alarm.ts';
import { OperatorRequests } from './operations/operator-request.ts';
import { Pauses } from './operations/pause-flags.ts';
import { Secrets } from './operations/secret-store.ts';
import { WorkerReports } from './operations/worker-report.ts';
import { NewestRecord } from './record/newest-record.ts';
import type { ObservationStore } from './record/observations/observation-store.ts';
import { StoredCoverage } from './trades/coverage/stored-coverage.ts';
import { WalletAges } from './trades/source/wallet-ages.ts';

/** What each feature keeps in documents, by the queries of the feature. */
export function openFeatures(documents: OpenDocuments) {
  return {
    audit: new AuditLog(documents),
    coverage: new StoredCoverage(documents),
    customers: new Customers(documents),
    followers: new Followers(documents),
    hiddenWallets: new HiddenWallets(documents),
    jobRuns: new JobRuns(documents),
    keyMessages: new StoredKeyMessages(documents),
    operatorAlarms: new OperatorAlarms(documents),
    operatorRequests: new OperatorRequests(documents),
    pauses: new Pauses(documents),
    presets: new Presets(documents),
    questions: new OpenQuestions(documents),
    records: new NewestRecord(documents),
    secrets: new Secrets(documents),
    walletAges: new WalletAges(documents),
    worker: new WorkerReports(documents),
  };
}

/** An open database with all its stores. Each call has a time limit, after which it throws `DatabaseTimeout`. */
export interface Database extends ReturnType<typeof openFeatures> {
  readonly kind: 'sqlite' | 'mongodb';
  readonly documents: OpenDocuments;
  readonly alerts: AlertStore;
  /** Useful number of concurrent archive reads. */
  readonly archiveConcurrency: number;
  readonly groups: GroupLimits;
  readonly settlements: SettlementStore;
  readonly exits: ExitStore;
  readonly ingest: SnapshotStore;
  readonly journal: JournalStore;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  /** Rate limits shared by all processes on this database; throws when it is unavailable. Null with a single process. */
  readonly sharedLimiter: RateLimiter | null;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly operatorReads: OperatorReads;
  readonly chat: ChatStore;
  readonly log: LogStore;
  readonly observations: ObservationStore;
  readonly lease: LeaseStore;
  /** Reads the clock of the database; null where it has no clock of its own. */
  readonly readTime: (() => Promise<EpochMs>) | null;
  /** Clears what the files still contain of deleted rows, as far as possible, for up to 3 s. Never rejects. */
  purgeDeleted(): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
