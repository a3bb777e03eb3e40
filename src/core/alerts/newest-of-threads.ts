import type { Alert } from './alert.ts';

/** Only the newest alert of each thread, in the given order, so that a list names a position once. */
export function newestOfThreads(alerts: readonly Alert[]): readonly Alert[] {
  const newest = new Map<number, number>();
  for (const { id, threadId } of alerts) newest.set(threadId, Math.max(id, newest.get(threadId) ?? id));
  return alerts.filter(({ id, threadId }) => newest.get(threadId) === id);
}
