import { counted } from '../src/core/base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../src/core/base/time/duration.ts';
import type { Job, JobDeps } from './schedule.ts';

/** Retention in days; that of messages is `CHAT_KEPT_MS`. The audit log is never pruned. */
const KEPT_DAYS = { jobRuns: 30, usage: 400 } as const;
const MESSAGES_AT_ONCE = 500;

export function removeExpired(deps: Pick<JobDeps, 'database' | 'yieldToLoop'>): Job['run'] {
  const { jobRuns, usage, questions } = deps.database;
  return async ({ now, signal }) => {
    const before = (days: number) => now - days * DAY_MS;
    const runs = await jobRuns.prune(before(KEPT_DAYS.jobRuns));
    const messages = await removeMessages(deps, now, signal);
    const asked = await questions.prune(now);
    const days = await usage.prune(new Date(before(KEPT_DAYS.usage)).toISOString().slice(0, 10));
    await deps.database.purgeDeleted();
    const removed = [
      counted(runs, 'job run'),
      counted(messages, 'message'),
      counted(asked, 'open question'),
      counted(days, 'usage count'),
    ];
    return `removed: ${removed.join(', ')}`;
  };
}

async function removeMessages(
  { database: { chat }, yieldToLoop }: Pick<JobDeps, 'database' | 'yieldToLoop'>,
  now: EpochMs,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const count = await chat.prune(now, MESSAGES_AT_ONCE);
    removed += count;
    if (count < MESSAGES_AT_ONCE) break;
    await yieldToLoop();
  }
  return removed;
}
