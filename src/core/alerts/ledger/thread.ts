import type { Candidate } from '../../detection/candidate.ts';
import { outcomeByIndex } from '../../detection/market-words.ts';
import type { Alert } from '../alert.ts';

type ThreadSubject = Pick<Candidate, 'type' | 'wallet' | 'marketId' | 'side' | 'outcome'>;

/**
 * The key of an alert's thread: all wallet alerts of one wallet and outcome of a market, or all clusters on that outcome. Buys and
 * sells of an outcome are separate threads.
 */
export function threadKey({ type, wallet, marketId, side, outcome }: ThreadSubject): string {
  const subject = type === 'cluster' ? 'c' : `w:${wallet}`;
  return `${subject}:${marketId}:${side}:${outcome}`;
}

/** The keys of one thread: its own, and the key from before the outcome had a name. Stored alerts keep their key. */
export function threadKeys(subject: ThreadSubject & Pick<Candidate, 'outcomeIndex'>): readonly string[] {
  const unnamed = { ...subject, outcome: outcomeByIndex(subject.outcomeIndex) };
  return [...new Set([threadKey(unnamed), threadKey(subject)])];
}

/** The position of an alert in its thread. `earlier`: the alerts before it, oldest first. */
export function positionInThread(
  id: number,
  earlier: readonly Pick<Alert, 'id'>[],
): { readonly threadId: number; readonly supersedes: number | null } {
  return { threadId: earlier[0]?.id ?? id, supersedes: earlier.at(-1)?.id ?? null };
}

/** Only the newest alert of each thread, in the given order, so that a list names a position once. */
export function newestOfThreads(alerts: readonly Alert[]): readonly Alert[] {
  const newest = new Map<number, number>();
  for (const { id, threadId } of alerts) newest.set(threadId, Math.max(id, newest.get(threadId) ?? id));
  return alerts.filter(({ id, threadId }) => newest.get(threadId) === id);
}

/** Whether an alert is a cluster caused by the same order as the previous alert. */
export function isOfSameOrder(alert: Alert, before: Alert | null | undefined): before is Alert {
  return (
    alert.type === 'cluster' &&
    before?.id === alert.id - 1 &&
    before.wallet === alert.wallet &&
    before.marketId === alert.marketId &&
    before.tradedAt === alert.tradedAt
  );
}
