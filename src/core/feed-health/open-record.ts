import type { EpochMs } from '../trade.ts';
import type { FeedHealthStore } from './feed-health-store.ts';
import {
  BLIND_AFTER_MS,
  CONFIRMED_BEHIND_MS,
  createFeedRecord,
  type FeedRecord,
  FILLED_BACK_MS,
} from './feed-record.ts';

/** What is known at a start. */
export interface Opened {
  readonly record: FeedRecord;
  /** When the feed began to watch for the first time. */
  readonly since: EpochMs;
  /** How far back the first walk must reach; null at the very first start. */
  readonly wantedFrom: EpochMs | null;
}

/**
 * Reads what the last run left. A stop of more than 25 s is a window from the last confirmed moment, or from the end of
 * the last window, until now; the last fresh answer is taken to be as much newer as it is while the feed sees. A window
 * that a killed process left open goes on from its own start and keeps its cause: what began it is why trades were
 * missed first. Only `unconfirmed` becomes `stopped`, since nothing showed trades any more.
 */
export async function openRecord(store: FeedHealthStore, now: EpochMs): Promise<Opened> {
  const position = await store.readPosition();
  const earliest = now - FILLED_BACK_MS;
  const unsettled = (await store.unsettled(earliest)).toReversed();
  const [newest] = await store.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1 });
  const open = unsettled.find(({ endedAt }) => endedAt === null);
  const confirmedUntil = Math.min(now, position?.confirmedUntil ?? open?.startedAt ?? now);
  const lastEnd = newest?.endedAt ?? null;
  const freshUntil = Math.min(now, confirmedUntil + CONFIRMED_BEHIND_MS);
  const record = createFeedRecord({ confirmedUntil, freshUntil, lastEnd, unsettled });
  const isStopped = open === undefined && now - Math.max(freshUntil, lastEnd ?? 0) > BLIND_AFTER_MS;
  const stopped = { from: Math.max(confirmedUntil, lastEnd ?? 0), until: now };
  const found = isStopped ? [record.addStopped(stopped)] : [];
  const starts = [...unsettled, ...found].map(({ startedAt }) => startedAt);
  if (position !== null) starts.push(position.confirmedUntil, position.oldestWaiting ?? now);
  const wantedFrom = starts.length === 0 ? null : Math.max(earliest, Math.min(...starts));
  return { record, since: position?.since ?? confirmedUntil, wantedFrom };
}
