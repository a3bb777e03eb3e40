import type { CustomerStore } from './accounts/customers/customer.ts';
import type { KeyStore, UsageStore } from './accounts/keys/api-key.ts';
import type { RateLimiter } from './accounts/limits/rate-limiter.ts';
import type { PresetStore } from './accounts/presets/preset.ts';
import type { AlertStore } from './alerts/alert-store.ts';
import type { ExitStore } from './alerts/exits/exit.ts';
import type { HiddenWalletStore } from './alerts/hidden-wallets.ts';
import type { GroupLimits } from './alerts/ledger/ledger.ts';
import type { LogStore } from './alerts/log/log-store.ts';
import type { SettlementStore } from './alerts/settlement.ts';
import type { LeaseStore } from './base/lease/lease.ts';
import type { EpochMs } from './base/time/duration.ts';
import type { ChatStore } from './chat/chat-store.ts';
import type { KeyMessageStore, QuestionStore } from './chat/conversation-stores.ts';
import type { DeliveryStore } from './delivery/webhooks/delivery.ts';
import type { WebhookStore } from './delivery/webhooks/webhook.ts';
import type { FollowerStore } from './follow/follower.ts';
import type { JournalStore, SnapshotStore } from './ingest/ingest-stores.ts';
import type { AuditLog, OperatorReads } from './operations/audit-log.ts';
import type { JobRunStore } from './operations/job-run-store.ts';
import type { OperatorAlarmStore } from './operations/operator-alarm.ts';
import type { OperatorRequestStore } from './operations/operator-request.ts';
import type { PauseStore } from './operations/pause-flags.ts';
import type { SecretStore } from './operations/secret-store.ts';
import type { WorkerStore } from './operations/worker-report.ts';
import type { PriceStore } from './record/prices/watched-market.ts';
import type { RecordStore } from './record/record-store.ts';
import type { CoverageStore } from './trades/coverage/blind-window.ts';
import type { WalletAgeStore } from './trades/source/facts-sources.ts';

/** An open database with all its stores. Each call has a time limit, after which it throws `DatabaseTimeout`. */
export interface Database {
  readonly kind: 'sqlite' | 'mongodb';
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
  readonly customers: CustomerStore;
  readonly followers: FollowerStore;
  readonly presets: PresetStore;
  readonly prices: PriceStore;
  readonly walletAges: WalletAgeStore;
  readonly webhooks: WebhookStore;
  readonly secrets: SecretStore;
  readonly deliveries: DeliveryStore;
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
  readonly hiddenWallets: HiddenWalletStore;
  readonly log: LogStore;
  readonly records: RecordStore;
  readonly lease: LeaseStore;
  /** Reads the clock of the database; null where it has no clock of its own. */
  readonly readTime: (() => Promise<EpochMs>) | null;
  /** Clears what the files still contain of deleted rows, as far as possible, for up to 3 s. Never rejects. */
  purgeDeleted(): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
