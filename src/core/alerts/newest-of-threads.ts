import type { Alert } from './alert.ts';

/** Of each thread among the alerts only the newest, in the given order: a list for people names a position once. */
export function newestOfThreads(alerts: readonly Alert[]): readonly Alert[] {
  const newest = new Map<number, number>();
  for (const { id, threadId } of alerts) newest.set(threadId, Math.max(id, newest.get(threadId) ?? id));
  return alerts.filter(({ id, threadId }) => newest.get(threadId) === id);
}
