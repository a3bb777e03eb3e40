import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import type { ChatState, PostMessage } from '../../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../../src/core/chat/chat-outbox.ts';
import type { Redraw } from '../../src/core/chat/redraw-posts.ts';
import type { Withdrawal } from '../../src/core/chat/withdraw.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { CustomerService } from '../../src/core/customers/customer-service.ts';
import type { KeyStore, UsageStore } from '../../src/core/keys/key-store.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { AuditLog } from '../../src/core/operations/audit-log.ts';
import type { HeartbeatStore } from '../../src/core/operations/heartbeat-store.ts';
import type { JobRun } from '../../src/core/operations/job-run-store.ts';
import type { OperatorReads } from '../../src/core/operations/operator-reads.ts';
import type { PauseStore } from '../../src/core/operations/pause-store.ts';
import type { RandomText } from '../../src/core/random-text.ts';
import type { StatementStore } from '../../src/core/statements/statement-store.ts';

/** One entry of `ADMIN_IDS`. */
export interface OperatorId {
  readonly platform: 'telegram' | 'discord' | 'discord-role';
  readonly id: string;
}

/** Posts of alerts, and messages to everybody. */
export interface ConsolePosts {
  /** The posts that show the alert, or are to: its own, or that of its thread. */
  postsShowing(alertId: number): Promise<readonly PostMessage[]>;
  /** Takes back its posts; one that is out needs the platform's bot in this process. */
  withdraw(alertId: number): Promise<readonly Withdrawal[]>;
  /** Has the posts edited that show alerts of a wallet. Returns for how many that is new. */
  redraw(redraw: Redraw): Promise<number>;
  counts(): Promise<Readonly<Record<ChatState, number>>>;
  /** How many customers a broadcast would go to. */
  audience(): Promise<number>;
  /** Puts it in the outbox, for each customer once: the same `id` sends nobody a second one. Returns for how many. */
  broadcast(message: { readonly id: string; readonly text: string }): Promise<number>;
}

/** The clock work. */
export interface ConsoleJobs {
  readonly names: readonly string[];
  /** The newest run of each job. */
  latest(): Promise<readonly JobRun[]>;
  /** Runs it now if it is due (`JobRunner.run`); null where no jobs run. */
  readonly run: ((name: string) => Promise<JobResult | null>) | null;
}

/** `not_due`: its newest period is done, or another process does it. */
export type JobResult =
  | { readonly isRun: true; readonly period: string; readonly isFailed: boolean; readonly outcome: string }
  | { readonly isRun: false; readonly reason: 'paused' | 'not_due' };

/** What the console stands on. */
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
