import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import type { ChatState, PostMessage } from '../../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../../src/core/chat/chat-queue.ts';
import type { Redraw } from '../../src/core/chat/redraw-posts.ts';
import type { Withdrawal } from '../../src/core/chat/withdraw.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { CustomerService } from '../../src/core/customers/customer-service.ts';
import type { KeyStore, UsageStore } from '../../src/core/keys/key-store.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { AuditLog } from '../../src/core/operations/audit-log.ts';
import type { HeartbeatStore } from '../../src/core/operations/heartbeat.ts';
import type { JobRun } from '../../src/core/operations/job-run-store.ts';
import type { OperatorReads } from '../../src/core/operations/operator-reads.ts';
import type { PauseStore } from '../../src/core/operations/pause-flags.ts';
import type { RandomText } from '../../src/core/random-text.ts';
import type { StatementStore } from '../../src/core/statements/statement-store.ts';

/** One entry of `ADMIN_IDS`. */
export interface OperatorId {
  readonly platform: 'telegram' | 'discord' | 'discord-role';
  readonly id: string;
}

/** Posts of alerts, and broadcasts. */
export interface ConsolePosts {
  /** The posts that show the alert, or will: its own, or that of its thread. */
  postsShowing(alertId: number): Promise<readonly PostMessage[]>;
  /** Withdraws its posts; a sent post needs the platform's bot in this process. */
  withdraw(alertId: number): Promise<readonly Withdrawal[]>;
  /** Queues edits of the posts that show alerts of a wallet. Returns the number of new edits. */
  redraw(redraw: Redraw): Promise<number>;
  counts(): Promise<Readonly<Record<ChatState, number>>>;
  /** Number of customers that a broadcast would reach. */
  audience(): Promise<number>;
  /** Adds a message for each customer to the outbox. Idempotent by `id`. Returns the number of new messages. */
  broadcast(message: { readonly id: string; readonly text: string }): Promise<number>;
}

/** The scheduled jobs. */
export interface ConsoleJobs {
  readonly names: readonly string[];
  /** The newest run of each job. */
  latest(): Promise<readonly JobRun[]>;
  /** Runs a job now if it is due (`JobRunner.run`); null where no jobs run. */
  readonly run: ((name: string) => Promise<JobResult | null>) | null;
}

/** `not_due`: the newest period is done, or another process runs it. */
export type JobResult =
  | { readonly isRun: true; readonly period: string; readonly isFailed: boolean; readonly outcome: string }
  | { readonly isRun: false; readonly reason: 'paused' | 'not_due' };

/** Dependencies of the console. */
export interface ConsoleDeps {
  readonly adminIds: readonly OperatorId[];
  readonly customers: Pick<
    CustomerService,
    'byId' | 'find' | 'keysOf' | 'ban' | 'unban' | 'extendTrial' | 'setTier' | 'provision' | 'count'
  >;
  readonly keys: Pick<KeyStore, 'byId' | 'byLookup' | 'revoke'>;
  readonly usage: Pick<UsageStore, 'get'>;
  readonly alerts: Pick<AlertStore, 'byId' | 'stats'>;
  readonly reads: OperatorReads;
  readonly posts: ConsolePosts;
  readonly outbox: ChatOutbox;
  readonly pauses: PauseStore;
  readonly statements: StatementStore;
  readonly jobs: ConsoleJobs;
  readonly heartbeats: Pick<HeartbeatStore, 'list'>;
  readonly audit: AuditLog;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}
