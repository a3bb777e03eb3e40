import { Customers } from './accounts/customers/customer.ts';
import { Keys } from './accounts/keys/api-key.ts';
import { UsageCounts } from './accounts/keys/usage.ts';
import type { RateLimiter } from './accounts/limits/rate-limiter.ts';
import { Presets } from './accounts/presets/preset.ts';
import { createAlertReads } from './alerts/alert-index/alert-reads.ts';
import { exitsIn } from './alerts/exits/exits.ts';
import { HiddenWallets } from './alerts/hidden-wallets.ts';
import type { GroupLimits } from './alerts/ledger/ledger.ts';
import { LogStore } from './alerts/log/log-store.ts';
import { Markets } from './alerts/markets.ts';
import { settlementsIn } from './alerts/settlements/settlements.ts';
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
  const log = new LogStore(documents);
  const markets = new Markets(documents);
  const { index, reads } = createAlertReads({ log, markets, pause: pauseForOthers });
  return {
    alerts: reads,
    /** What `alerts` walks. */
    alertIndex: index,
    audit: new AuditLog(documents),
    chat: new ChatStore(documents),
    coverage: new StoredCoverage(documents),
    customers: new Customers(documents),
    deliveries: new Deliveries(documents),
    exits: exitsIn({ index, log, markets }),
    followers: new Followers(documents),
    hiddenWallets: new HiddenWallets(documents),
    ingest: new Snapshots(documents, lease),
    jobRuns: new JobRuns(documents),
    keyMessages: new StoredKeyMessages(documents),
    keys: new Keys(documents),
    journal: new Journal(documents, lease),
    lease,
    log,
    markets,
    operatorAlarms: new OperatorAlarms(documents),
    operatorRequests: new OperatorRequests(documents),
    pauses: new Pauses(documents),
    presets: new Presets(documents),
    prices: new Prices(documents, lease),
    questions: new OpenQuestions(documents),
    records: new NewestRecord(documents),
    settlements: settlementsIn(index),
    secrets: new Secrets(documents),
    usage: new UsageCounts(documents),
    walletAges: new WalletAges(documents),
    webhooks: new Webhooks(documents),
    worker: new WorkerReports(documents),
  };
}

/** Resolves once other work of the event loop was done. */
function pauseForOthers(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  return promise;
}

/** An open database with what all features keep in it. Each call of `documents` has a time limit, after which it throws `DatabaseTimeout`. */
export interface Database extends ReturnType<typeof openFeatures> {
  readonly kind: 'sqlite' | 'mongodb';
  readonly documents: OpenDocuments;
  readonly groups: GroupLimits;
  /** Rate limits shared by all processes on this database; throws when it is unavailable. Null with a single process. */
  readonly sharedLimiter: RateLimiter | null;
  /** Reads the clock of the database; null where it has no clock of its own. */
  readonly readTime: (() => Promise<EpochMs>) | null;
  /** Clears what the files still contain of deleted rows, as far as possible, for up to 3 s. Never rejects. */
  purgeDeleted(): Promise<void>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
