import { FailureLog } from '../../../core/async/failure-log.ts';
import { repeat } from '../../../core/async/repeat.ts';
import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { MarketSource } from '../../../core/source/market-source.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { Categorise } from '../../sources/market-row.ts';
import type { MarketCache } from './market-cache.ts';
import { marketOf, withFields } from './market-line.ts';

/** Maximum age of a traded market's description: its volume, end and tags change. */
export const REFRESH_AFTER_MS = 30 * MINUTE_MS;
const LOOK_EVERY_MS = MINUTE_MS;
const BATCH = 25;
/** At most two requests a batch: 10 in 10 s of the 135 in the budget. Requests for new markets come first. */
const BATCH_PAUSE_MS = 2_000;

interface RefreshOptions {
  readonly describe: MarketSource['describe'];
  readonly cache: MarketCache;
  readonly categorise: Categorise;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly enqueue: (rows: readonly LiveRow[]) => Promise<void>;
  /** Called after each batch, and each minute without one. */
  readonly onLook: () => void;
}

/** Describes traded markets again, and enqueues those whose description changed. */
export class MarketRefresh {
  readonly #options: RefreshOptions;
  /** Markets of this minute that are still to be refreshed. */
  #due: readonly string[] = [];

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** Until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    return repeat(() => this.#refreshNext(signal), {
      clock,
      signal,
      intervalMs: () => (this.#due.length > 0 ? BATCH_PAUSE_MS : LOOK_EVERY_MS),
      failures: new FailureLog(logger, 'market refresh failed; retrying'),
    });
  }

  async #refreshNext(signal: AbortSignal): Promise<void> {
    const { cache, clock, onLook } = this.#options;
    const due = this.#due.length > 0 ? this.#due : cache.due(clock.now() - REFRESH_AFTER_MS);
    const batch = due.slice(0, BATCH);
    // A failure leaves the others to the next look.
    this.#due = [];
    try {
      if (batch.length > 0) await this.#refresh(batch, signal);
      this.#due = due.slice(BATCH);
    } catch (error) {
      for (const id of batch) cache.touch(id);
      throw error;
    } finally {
      onLook();
    }
  }

  async #refresh(marketIds: readonly string[], signal: AbortSignal): Promise<void> {
    const { describe, cache, enqueue } = this.#options;
    const before = new Map(marketIds.map((id) => [id, cache.get(id)]));
    for (const id of marketIds) cache.asked(id);
    const rows = (await describe(marketIds, signal)).map((live) => this.#unpriced(live));
    const changed = rows.filter((live) => {
      const earlier = before.get(marketOf(live).id) ?? null;
      return earlier === null || this.#unpriced(earlier).line !== live.line;
    });
    if (changed.length > 0) await enqueue(changed);
  }

  /** Without prices: they change all the time, and payouts are left to the resolution watch. */
  #unpriced(live: LiveRow): LiveRow {
    const { clock, categorise } = this.#options;
    const without = withFields(live, { outcomePrices: null }, { now: clock.now(), categorise });
    return 'line' in without ? without : live;
  }
}
