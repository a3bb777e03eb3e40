import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS } from '../../../core/duration.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { marketOf } from '../markets/market-line.ts';

/** A row that was offered is booked long before; then the store says so, and one that was lost is offered again. */
const BOOKED_AFTER_MS = 10 * MINUTE_MS;
const MOST_REMEMBERED = 10_000;

interface EnqueueOnceDeps {
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Offers what is settled; the same again only when it was long enough to be booked, and is not. */
export function enqueueOnce({ enqueue, clock }: EnqueueOnceDeps): EnqueueOnceDeps['enqueue'] {
  const enqueued = new LRUCache<string, { readonly payouts: string; readonly at: EpochMs }>({
    max: MOST_REMEMBERED,
  });

  function isNew(live: LiveRow): boolean {
    const { id, payouts } = marketOf(live);
    const last = enqueued.get(id);
    if (last?.payouts === String(payouts) && clock.now() - last.at < BOOKED_AFTER_MS) return false;
    enqueued.set(id, { payouts: String(payouts), at: clock.now() });
    return true;
  }

  return async (rows) => {
    const fresh = rows.filter(isNew);
    if (fresh.length > 0) await enqueue(fresh);
  };
}
