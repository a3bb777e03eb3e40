import type { CustomerStore } from '../src/core/accounts/customers/customer.ts';
import { IDEMPOTENCY_KEPT_MS, type IdempotencyStore } from '../src/core/accounts/idempotency.ts';
import type { UsageStore } from '../src/core/accounts/keys/api-key.ts';
import { DAY_MS, type EpochMs } from '../src/core/base/time/duration.ts';
import type { QuestionStore } from '../src/core/chat/conversation-stores.ts';
import type { HeartbeatStore } from '../src/core/operations/heartbeat.ts';
import type { JobRunStore } from '../src/core/operations/job-run-store.ts';
import { countOf, dailyAt, type Job } from './schedule.ts';

/** Retention in days; that of messages is in `pruneChat`. The audit log is never pruned. */
const KEPT_DAYS = { heartbeats: 1, jobRuns: 30, usage: 400 } as const;

export interface RetentionDeps {
  readonly jobRuns: Pick<JobRunStore, 'prune'>;
  readonly heartbeats: Pick<HeartbeatStore, 'prune'>;
  readonly usage: Pick<UsageStore, 'prune'>;
  readonly idempotency: Pick<IdempotencyStore, 'prune'>;
  readonly customers: Pick<CustomerStore, 'pruneCodes'>;
  readonly questions: Pick<QuestionStore, 'prune'>;
  /** Removes chat messages that are expired at the moment, until the signal aborts. Returns how many. */
  readonly pruneMessages: (now: EpochMs, signal: AbortSignal) => Promise<number>;
  /** Clears what files of the database still have of deleted rows. Never rejects. */
  readonly purgeDeleted: () => Promise<void>;
}

/** Removes expired data. */
export function retention(deps: RetentionDeps): Job {
  const { jobRuns, heartbeats, usage, idempotency, customers, questions, pruneMessages, purgeDeleted } = deps;
  return {
    name: 'retention',
    schedule: dailyAt('03:20'),
    needsSettledTime: true,
    async run({ now, signal }) {
      const before = (days: number) => now - days * DAY_MS;
      await heartbeats.prune(before(KEPT_DAYS.heartbeats));
      const runs = await jobRuns.prune(before(KEPT_DAYS.jobRuns));
      const messages = await pruneMessages(now, signal);
      const codes = await customers.pruneCodes(now);
      const asked = await questions.prune(now);
      const days = await usage.prune(new Date(before(KEPT_DAYS.usage)).toISOString().slice(0, 10));
      const named = await idempotency.prune(now - IDEMPOTENCY_KEPT_MS);
      await purgeDeleted();
      const removed = [
        countOf(runs, 'job run'),
        countOf(messages, 'message'),
        countOf(codes, 'link code'),
        countOf(asked, 'open question'),
        countOf(days, 'usage count'),
        countOf(named, 'idempotency key'),
      ];
      return `removed: ${removed.join(', ')}`;
    },
  };
}
