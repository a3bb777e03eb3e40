import type { Model } from 'mongoose';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import { type AlertDocument, THREAD_INDEX } from './alert-model.ts';

const BATCH_SIZE = 2_000;
const FIELDS = { type: 1, wallet: 1, marketId: 1, side: 1, outcome: 1, thread: 1 } as const;

type Fields = Pick<AlertDocument, '_id' | keyof typeof FIELDS>;

/** The first and the last alert of a thread so far. */
interface Ends {
  readonly first: number;
  readonly last: number;
}

/**
 * Gives alerts of version 5 their threads, oldest first, also those that a build of version 5 appends after the migration;
 * other alerts stay as they are. When no alert lacks its thread this is one index lookup. May be run again after a crash or by two
 * processes at the same time: below the first alert without a thread all have theirs, and an alert's position in a thread depends on
 * earlier alerts only, which never change.
 */
export async function fillThreads(alerts: Model<AlertDocument>): Promise<void> {
  for (;;) {
    const unfilled = alerts.find({ thread: null }, { _id: 1 }).sort({ _id: 1 }).limit(1);
    const [first] = await unfilled.hint(THREAD_INDEX).lean();
    if (first === undefined) return;
    const next = alerts.find({ _id: { $gte: first._id } }, FIELDS).sort({ _id: 1 });
    await fill(alerts, first._id, await next.limit(BATCH_SIZE).lean());
  }
}

async function fill(alerts: Model<AlertDocument>, firstId: number, batch: readonly Fields[]): Promise<void> {
  const ends = await endsBefore(alerts, firstId, batch.map(threadOf));
  const writes = batch.flatMap((alert) => {
    const [id, thread] = [alert._id, threadOf(alert)];
    const earlier = ends.get(thread);
    const place = { thread, threadId: earlier?.first ?? id, supersedes: earlier?.last ?? null };
    ends.set(thread, { first: place.threadId, last: id });
    return typeof alert.thread === 'string'
      ? []
      : { updateOne: { filter: { _id: id }, update: { $set: place } } };
  });
  if (writes.length > 0) await alerts.bulkWrite(writes, { ordered: false });
}

/** Fields that an alert lacks are empty in its thread key. */
function threadOf({ type, wallet, marketId, side, outcome, thread }: Fields): string {
  const known = {
    type,
    wallet: wallet ?? '',
    marketId: marketId ?? '',
    side: side ?? '',
    outcome: outcome ?? '',
  };
  return thread ?? threadKey(known as Fields);
}

async function endsBefore(
  alerts: Model<AlertDocument>,
  id: number,
  threads: readonly string[],
): Promise<Map<string, Ends>> {
  const found = await alerts.aggregate<Ends & { readonly _id: string }>([
    { $match: { thread: { $in: [...new Set(threads)] }, _id: { $lt: id } } },
    { $group: { _id: '$thread', first: { $min: '$_id' }, last: { $max: '$_id' } } },
  ]);
  return new Map(found.map(({ _id, first, last }) => [_id, { first, last }]));
}
