import type { AlertStore } from './alert-store.ts';
import type { AuditLog } from './audit-log.ts';
import type { ChatStore } from './chat-store.ts';
import type { FeedHealthStore } from './coverage-store.ts';
import type { CustomerStore } from './customer-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { SnapshotStore } from './ingest-store.ts';
import type { JobRunStore } from './job-run-store.ts';
import type { JournalStore } from './journal-store.ts';
import type { KeyStore, UsageStore } from './key-store.ts';
import type { LeaseName, LeaseStore } from './lease-store.ts';
import type { LogStore } from './log-store.ts';
import type { ObservationStore } from './observation-store.ts';
import type { OperatorReads } from './operator-reads.ts';
import type { PresetStore } from './preset-store.ts';
import type { HeartbeatStore } from './pulse-store.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ResolutionStore } from './resolution-store.ts';
import type { SecretStore } from './secret-store.ts';
import type { StatementStore } from './statement-store.ts';
import type { PauseStore } from './switch-store.ts';
import type { WalletAgeStore } from './wallet-age-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** One opened database: every store, and its life. Each call has a time limit, after which it throws `DatabaseTimeout`. */
export interface Database {
  readonly kind: 'sqlite' | 'mongodb';
  readonly alerts: AlertStore;
  /** Reads of the archive that are worth running at the same time. */
  readonly archiveConcurrency: number;
  readonly resolutions: ResolutionStore;
  readonly ingest: SnapshotStore;
  readonly journal: JournalStore;
  readonly keys: KeyStore;
  readonly usage: UsageStore;
  /** Counts for all processes on this database, and throws when it does not answer; null where one process is all. */
  readonly sharedLimiter: RateLimiter | null;
  readonly customers: CustomerStore;
  readonly presets: PresetStore;
  readonly walletAges: WalletAgeStore;
  readonly webhooks: WebhookStore;
  readonly secrets: SecretStore;
  readonly deliveries: DeliveryStore;
  readonly audit: AuditLog;
  readonly operatorReads: OperatorReads;
  readonly pauses: PauseStore;
  readonly jobRuns: JobRunStore;
  readonly heartbeats: HeartbeatStore;
  readonly chat: ChatStore;
  readonly feedHealth: FeedHealthStore;
  readonly log: LogStore;
  readonly observations: ObservationStore;
  readonly statements: StatementStore;
  /** Of work that one process does at a time; that of the ingest is its own store. */
  lease(name: Exclude<LeaseName, 'ingest'>): LeaseStore;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
