import type { Candidate } from '../../detection/candidate.ts';
import { outcomeByIndex } from '../../detection/market-words.ts';
import type { Alert } from '../alert.ts';

/** What an alert's thread follows from. */
export type ThreadSubject = Pick<
  Candidate,
  'type' | 'wallet' | 'marketId' | 'side' | 'outcome' | 'outcomeIndex'
>;

/**
 * Whether an alert is of the same thread: all wallet alerts of one wallet and outcome of a market, or all clusters on that outcome. Buys
 * and sells of an outcome are separate threads. It may be from before the outcome had a name.
 */
export function isOfThread(
  { type, wallet, marketId, side, outcome }: ThreadSubject,
  subject: ThreadSubject,
): boolean {
  const isCluster = subject.type === 'cluster';
  return (
    (type === 'cluster') === isCluster &&
    (isCluster || wallet === subject.wallet) &&
    marketId === subject.marketId &&
    side === subject.side &&
    (outcome === subject.outcome || outcome === outcomeByIndex(subject.outcomeIndex))
  );
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
