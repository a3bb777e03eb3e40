import type { CustomerService } from '../../src/core/accounts/customers/customer-service.ts';
import type { KeyStore, UsageStore } from '../../src/core/accounts/keys/api-key.ts';
import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import type { StatementStore } from '../../src/core/alerts/statements/statement-store.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { RandomText } from '../../src/core/base/random.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { ChatOutbox } from '../../src/core/chat/chat-queue.ts';
import type { AuditLog, OperatorReads } from '../../src/core/operations/audit-log.ts';
import type { HeartbeatStore } from '../../src/core/operations/heartbeat.ts';
import type { JobRun } from '../../src/core/operations/job-run-store.ts';
import type { OperatorAlarmStore } from '../../src/core/operations/operator-alarm.ts';
import type { CommandNeed, RequestSender } from '../../src/core/operations/operator-request.ts';
import type { PauseStore } from '../../src/core/operations/pause-flags.ts';
import type { ConsolePosts } from './console-posts.ts';

/** One entry of `ADMIN_IDS`. */
export interface OperatorId {
  readonly platform: 'telegram' | 'discord' | 'discord-role';
  readonly id: string;
}

/** The scheduled jobs. */
export interface ConsoleJobs {
  readonly names: readonly string[];
  /** The newest run of each job. */
  latest(): Promise<readonly JobRun[]>;
  /** Runs a job now if it is due, with `isForced` also if not (`JobRunner.run`); null where no jobs run. */
  readonly run: ((name: string, options: { readonly isForced: boolean }) => Promise<JobResult | null>) | null;
}

/** `not_due`: the newest period is done, or another process runs it. */
export type JobResult =
  | { readonly isRun: true; readonly period: string; readonly isFailed: boolean; readonly outcome: string }
  | { readonly isRun: false; readonly reason: 'paused' | 'not_due' };

/** Dependencies of the console. */
export interface ConsoleDeps {
  readonly adminIds: readonly OperatorId[];
  readonly customers: CustomerService;
  readonly keys: Pick<KeyStore, 'byId' | 'byLookup' | 'revoke'>;
  readonly usage: Pick<UsageStore, 'get'>;
  readonly alerts: Pick<AlertStore, 'byId' | 'stats'>;
  readonly reads: OperatorReads;
  readonly posts: ConsolePosts;
  /** What this process can carry out. */
  readonly serves: readonly CommandNeed[];
  /** Takes the other acts to a process that can. */
  readonly requests: Pick<RequestSender, 'send'>;
  readonly outbox: ChatOutbox;
  readonly pauses: PauseStore;
  readonly statements: StatementStore;
  readonly jobs: ConsoleJobs;
  readonly heartbeats: Pick<HeartbeatStore, 'list'>;
  readonly alarms: Pick<OperatorAlarmStore, 'list'>;
  readonly audit: AuditLog;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}
