import { Customers } from './accounts/customers/customer.ts';
import { Keys } from './accounts/keys/api-key.ts';
import { UsageCounts } from './accounts/keys/usage.ts';
import type { RateLimiter } from './accounts/limits/rate-limiter.ts';
import { Presets } from './accounts/presets/preset.ts';
import type { AlertIndex } from './alerts/alert-index/alert-index.ts';
import type { AlertStore } from './alerts/alert-store.ts';
import type { ExitStore } from './alerts/exits/exit.ts';
import { HiddenWallets } from './alerts/hidden-wallets.ts';
import type { GroupLimits } from './alerts/ledger/ledger.ts';
import type { LogStore } from './alerts/log/log-store.ts';
import type { SettlementStore } from './alerts/settlement.ts';
import type { OpenDocuments } from './base/documents/documents.ts';
import { WorkerLease } from './base/lease/lease.ts';
import type { EpochMs } from './base/time/duration.ts';
import { ChatStore } from './chat/chat-store.ts';
import { StoredKeyMessages } from './chat/key-messages.ts';
import { OpenQuestions } from './chat/open-questions.ts';
import { Deliveries } from './delivery/webhooks/deliveries.ts';
import { Webhooks } from './delivery/webhooks/webhooks.ts';
import { Followers } from './follow/follower.ts';
import { Journal } from './ingest/journal.ts';
import { Snapshots } from './ingest/snapshots.ts';
import { AuditLog } from './operations/audit-log.ts';
import { JobRuns } from './operations/job-run-store.ts';
import { OperatorAlarms } from './operations/operator-alarm.ts';
import { OperatorRequests } from './operations/operator-request.ts';
import { Pauses } from './operations/pause-flags.ts';
import { Secrets } from './operations/secret-store.ts';
import { WorkerReports } from './operations/worker-report.ts';
import { NewestRecord } from './record/newest-record.ts';
import { Prices } from './record/prices/prices.ts';
import { StoredCoverage } from './trades/coverage/stored-coverage.ts';
import { WalletAges } from './trades/source/wallet-ages.ts';

/** What each feature keeps in documents, by the queries of the feature. */
export function openFeatures(documents: OpenDocuments) {
  const lease = new WorkerLease(documents);
  return {
    audit: new AuditLog(documents),
    chat: new ChatStore(documents),
    coverage: new StoredCoverage(documents),
    customers: new Customers(documents),
    deliveries: new Deliveries(documents),
    followers: new Followers(documents),
    hiddenWallets: new HiddenWallets(documents),
    ingest: new Snapshots(documents, lease),
    jobRuns: new JobRuns(documents),
    keyMessages: new StoredKeyMessages(documents),
    keys: new Keys(documents),
    journal: new Journal(documents, lease),
    lease,
    operatorAlarms: new OperatorAlarms(documents),
    operatorRequests: new OperatorRequests(documents),
    pauses: new Pauses(documents),
    presets: new Presets(documents),
    prices: new Prices(documents, lease),
    questions: new OpenQuestions(documents),
    records: new NewestRecord(documents),
    secrets: new Secrets(documents),
    usage: new UsageCounts(documents),
    walletAges: new WalletAges(documents),
    webhooks: new Webhooks(documents),
    worker: new WorkerReports(documents),
  };
}

/** An open database with all its stores. Each call has a time limit, after which it throws `DatabaseTimeout`. */
export interface Database extends ReturnType<typeof openFeatures> {
  readonly kind: 'sqlite' | 'mongodb';
  readonly documents: OpenDocuments;
  readonly alerts: AlertStore;
  /** What `alerts` walks. */
  readonly alertIndex: AlertIndex;
  readonly groups: GroupLimits;
  readonly settlements: SettlementStore;
  readonly exits: ExitStore;
  /** Rate limits shared by all processes on this database; throws when it is unavailable. Null with a single process. */
  readonly sharedLimiter: RateLimiter | null;
  readonly log: LogStore;
  /** Reads the clock of the database; null where it has no clock of its own. */
  readonly readTime: (() => Promise<EpochMs>) | null;
  /** Clears what the files still contain of deleted rows, as far as possible, for up to 3 s. Never rejects. */
  purgeDeleted(): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
