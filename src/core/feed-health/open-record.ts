import type { EpochMs } from '../trade.ts';
import type { FeedHealthStore } from './feed-health-store.ts';
import { BLIND_AFTER_MS, CONFIRMED_BEHIND_MS, FeedRecord, FILLED_BACK_MS } from './feed-record.ts';

/** The state of a feed at its start. */
export interface OpenedRecord {
  readonly record: FeedRecord;
  /** When the feed was started for the first time. */
  readonly since: EpochMs;
  /** How far back the first walk must reach; null at the very first start. */
  readonly wantedFrom: EpochMs | null;
}

/**
 * Reads what the last run stored. A stop of more than 25 s becomes a window from the last confirmed moment, or from the
 * end of the last window, until now; the last fresh answer is assumed to be newer by the usual lag. A window that a killed
 * process left open continues with its start and cause, since that cause is why trades were missed first. Only
 * `unconfirmed` becomes `stopped`, since no source showed trades any more.
 */
export async function openRecord(store: FeedHealthStore, now: EpochMs): Promise<OpenedRecord> {
  const position = await store.readPosition();
  const earliest = now - FILLED_BACK_MS;
  const unsettled = (await store.unsettled(earliest)).toReversed();
  const [newest] = await store.windows({ since: 0, until: Number.MAX_SAFE_INTEGER, limit: 1 });
  const open = unsettled.find(({ endedAt }) => endedAt === null);
  const confirmedUntil = Math.min(now, position?.confirmedUntil ?? open?.startedAt ?? now);
  const lastEnd = newest?.endedAt ?? null;
  const freshUntil = Math.min(now, confirmedUntil + CONFIRMED_BEHIND_MS);
  const record = new FeedRecord({ confirmedUntil, freshUntil, lastEnd, unsettled });
  const starts = unsettled.map(({ startedAt }) => startedAt);
  if (open === undefined && now - Math.max(freshUntil, lastEnd ?? 0) > BLIND_AFTER_MS) {
    const from = Math.max(confirmedUntil, lastEnd ?? 0);
    record.addStopped({ from, until: now });
    starts.push(from);
  }
  if (position !== null) starts.push(position.confirmedUntil, position.oldestWaiting ?? now);
  const wantedFrom = starts.length === 0 ? null : Math.max(earliest, Math.min(...starts));
  return { record, since: position?.since ?? confirmedUntil, wantedFrom };
}
