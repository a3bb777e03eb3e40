import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { MarketSource } from '../../../core/source/market-source.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import { inBatches } from '../in-batches.ts';
import type { MarketCache } from './market-cache.ts';
import { withFields } from './market-line.ts';

/** How old a traded market's description becomes: its volume, end and tags change. */
export const REFRESH_AFTER_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const BATCH = 25;
/** At most two requests a batch, 10 in 10 s, where 135 are ours: those for new markets come first. */
const BATCH_PAUSE_MS = 2_000;

interface RefreshDeps {
  readonly describe: MarketSource['describe'];
  readonly cache: MarketCache;
  readonly categorise: Categorise;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  /** Called each minute. */
  onLook(): void;
}

/** Describes markets that were traded since anew, until the signal aborts, and offers those that changed. */
export function createMarketRefresh(deps: RefreshDeps): (signal: AbortSignal) => Promise<void> {
  const { cache, clock, logger } = deps;

  async function refresh(marketIds: readonly string[], signal: AbortSignal): Promise<void> {
    const before = new Map(marketIds.map((id) => [id, cache.get(id)]));
    for (const id of marketIds) cache.asked(id);
    const rows = (await deps.describe(marketIds, signal)).map(unpriced);
    const changed = rows.filter((live) => {
      const earlier = live.row.kind === 'market' ? (before.get(live.row.market.id) ?? null) : null;
      return earlier === null || unpriced(earlier).line !== live.line;
    });
    if (changed.length > 0) await deps.enqueue(changed);
  }

  /** Prices change all the time; and what a market pays is for the resolution watch to say. */
  function unpriced(live: LiveRow): LiveRow {
    const context = { now: clock.now(), categorise: deps.categorise };
    const without = withFields(live, { outcomePrices: null }, context);
    return 'line' in without ? without : live;
  }

  async function refreshDue(signal: AbortSignal): Promise<void> {
    for (const batch of inBatches(cache.due(clock.now() - REFRESH_AFTER_MS), BATCH)) {
      if (signal.aborted) return;
      try {
        await refresh(batch, signal);
      } catch (error) {
        for (const id of batch) cache.touch(id);
        if (!signal.aborted) logger.warn({ err: error }, 'markets cannot be described anew for now');
        return;
      }
      await clock.sleep(BATCH_PAUSE_MS, signal);
    }
  }

  return async (signal) => {
    while (!signal.aborted) {
      await refreshDue(signal);
      deps.onLook();
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  };
}
