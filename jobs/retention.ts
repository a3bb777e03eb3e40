import { counted } from '../src/core/base/text/formats.ts';
import { DAY_MS } from '../src/core/base/time/duration.ts';
import { DELIVERY_LIMITS } from '../src/core/delivery/webhooks/delivery.ts';
import type { Job, JobDeps } from './schedule.ts';

/**
 * Retention in days; that of messages is `CHAT_KEPT_MS`, that of deliveries `DELIVERY_LIMITS`. The audit log is never pruned. The
 * journal prunes itself, since its bound is a snapshot.
 */
const KEPT_DAYS = { jobRuns: 30, operatorRequests: 1, usage: 400 } as const;
const PAGE_SIZE = 500;

export function removeExpired(deps: Pick<JobDeps, 'database' | 'yieldToLoop'>): Job['run'] {
  const { jobRuns, chat, questions, deliveries, operatorRequests, usage } = deps.database;
  return async ({ now, signal }) => {
    const before = (days: number) => now - days * DAY_MS;
    const runs = await jobRuns.prune(before(KEPT_DAYS.jobRuns));
    const messages = await removePages((limit) => chat.prune(now, limit), deps.yieldToLoop, signal);
    const asked = await questions.prune(now);
    const createdBefore = now - DELIVERY_LIMITS.keptMs;
    const pruneDeliveries = (limit: number) => deliveries.prune({ createdBefore, limit });
    const results = await removePages(pruneDeliveries, deps.yieldToLoop, signal);
    const requests = await operatorRequests.prune(before(KEPT_DAYS.operatorRequests));
    const days = await usage.prune(new Date(before(KEPT_DAYS.usage)).toISOString().slice(0, 10));
    await deps.database.purgeDeleted();
    const removed = [
      counted(runs, 'job run'),
      counted(messages, 'message'),
      counted(asked, 'open question'),
      counted(results, 'delivery result'),
      counted(requests, 'operator request'),
      counted(days, 'usage count'),
    ];
    return `removed: ${removed.join(', ')}`;
  };
}

/** Removes a page in each turn of the event loop until one is short. Returns how many documents were removed. */
async function removePages(
  prunePage: (limit: number) => Promise<number>,
  yieldToLoop: () => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const count = await prunePage(PAGE_SIZE);
    removed += count;
    if (count < PAGE_SIZE) break;
    await yieldToLoop();
  }
  return removed;
}
