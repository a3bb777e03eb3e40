import type { CustomerStore } from './accounts/customers/customer.ts';
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
import { WorkerLease } from './base/lease/lease.ts';
import type { EpochMs } from './base/time/duration.ts';
import type { ChatStore } from './chat/chat-store.ts';
import type { KeyMessageStore, QuestionStore } from './chat/conversation-stores.ts';
import { Deliveries } from './delivery/webhooks/deliveries.ts';
import { Webhooks } from './delivery/webhooks/webhooks.ts';
import type { FollowerStore } from './follow/follower.ts';
import { Journal } from './ingest/journal.ts';
import { Snapshots } from './ingest/snapshots.ts';
import type { AuditLog, OperatorReads } from './operations/audit-log.ts';
import type { JobRunStore } from './operations/job-run-store.ts';
import type { OperatorAlarmStore } from './operations/operator-alarm.ts';
import type { OperatorRequestStore } from './operations/operator-request.ts';
import type { PauseStore } from './operations/pause-flags.ts';
import type { SecretStore } from './operations/secret-store.ts';
import type { WorkerStore } from './operations/worker-report.ts';
import type { ObservationStore } from './record/observations/observation-store.ts';
import type { RecordStore } from './record/record-store.ts';
import type { CoverageStore } from './trades/coverage/blind-window.ts';
import type { WalletAgeStore } from './trades/source/facts-sources.ts';

/** What each feature keeps in documents, by the queries of the feature. */
export function openFeatures(documents: OpenDocuments) {
  const lease = new WorkerLease(documents);
  return {
    deliveries: new Deliveries(documents),
    hiddenWallets: new HiddenWallets(documents),
    ingest: new Snapshots(documents, lease),
    journal: new Journal(documents, lease),
    lease,
    presets: new Presets(documents),
    webhooks: new Webhooks(documents),
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
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  /** Rate limits shared by all processes on this database; throws when it is unavailable. Null with a single process. */
  readonly sharedLimiter: RateLimiter | null;
  readonly customers: CustomerStore;
  readonly followers: FollowerStore;
  readonly walletAges: WalletAgeStore;
  readonly secrets: SecretStore;
  readonly audit: AuditLog;
  readonly operatorAlarms: OperatorAlarmStore;
  readonly operatorReads: OperatorReads;
  readonly operatorRequests: OperatorRequestStore;
  readonly pauses: PauseStore;
  readonly jobRuns: JobRunStore;
  readonly worker: WorkerStore;
  readonly chat: ChatStore;
  readonly keyMessages: KeyMessageStore;
  readonly questions: QuestionStore;
  readonly coverage: CoverageStore;
  readonly log: LogStore;
  readonly observations: ObservationStore;
  readonly records: RecordStore;
  /** Reads the clock of the database; null where it has no clock of its own. */
  readonly readTime: (() => Promise<EpochMs>) | null;
  /** Clears what the files still contain of deleted rows, as far as possible, for up to 3 s. Never rejects. */
  purgeDeleted(): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
