import { backoffMs } from '../../base/async/backoff.ts';
import { MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { LiveRow } from '../../trades/source/source.ts';
import type { IntakeRunDeps } from './intake-deps.ts';

/** Requests are collected this long, up to `AT_ONCE`, and sent together. */
const COLLECT_MS = 100;
const AT_ONCE = 20;
/** How long a trade with a title of its own waits for its market's row, which is only an improvement. */
const WAIT_LIMIT_MS = MINUTE_MS;
const RETRY = { firstMs: SECOND_MS, mostMs: 15 * SECOND_MS };
const RETRY_LATE = { firstMs: 15 * SECOND_MS, mostMs: 10 * MINUTE_MS };

interface MarketDescriptionRequest {
  readonly marketId: string;
  /** Checked between two attempts. */
  isWanted(): boolean;
  /** A minute has passed without an answer. */
  onLate(): void;
}

interface MarketBatch {
  readonly marketIds: string[];
  readonly rows: Promise<ReadonlyMap<string, LiveRow>>;
  send(): void;
}

/** Loads the rows of markets, 20 at a time, with retries until there is an answer. */
export class MarketLoader {
  readonly #deps: IntakeRunDeps;
  #batch: MarketBatch | null = null;

  constructor(deps: IntakeRunDeps) {
    this.#deps = deps;
  }

  /** The market's row; null when it is not wanted any more, or the signal aborted. Never rejects. */
  async ask({ marketId, isWanted, onLate }: MarketDescriptionRequest): Promise<LiveRow | null> {
    const { clock, random, signal } = this.#deps;
    const answered = new AbortController();
    let lateAttempts = 0;
    void clock.sleep(WAIT_LIMIT_MS, AbortSignal.any([signal, answered.signal])).then(() => {
      if (answered.signal.aborted || signal.aborted) return;
      lateAttempts = 1;
      onLate();
    });
    let row: LiveRow | null = null;
    // Not `retry`: no row is no error, and the pauses change once the answer is late.
    for (let attempt = 1; row === null && !signal.aborted && isWanted(); attempt += 1) {
      row = await this.#attempt(marketId);
      if (row !== null || !isWanted()) break;
      const waitMs =
        lateAttempts === 0
          ? backoffMs(RETRY, attempt, random)
          : backoffMs(RETRY_LATE, lateAttempts++, random);
      await clock.sleep(waitMs, signal);
    }
    answered.abort();
    return row;
  }

  async #attempt(marketId: string): Promise<LiveRow | null> {
    this.#batch ??= this.#openBatch();
    const { marketIds, rows, send } = this.#batch;
    if (marketIds.push(marketId) >= AT_ONCE) send();
    return (await rows).get(marketId) ?? null;
  }

  #openBatch(): MarketBatch {
    const { clock, signal } = this.#deps;
    const marketIds: string[] = [];
    const full = new AbortController();
    const send = () => {
      this.#batch = null;
      full.abort();
    };
    const isDue = clock.sleep(COLLECT_MS, AbortSignal.any([signal, full.signal]));
    const rows = isDue.then(() => {
      if (!full.signal.aborted) send();
      return this.#describe(marketIds);
    });
    return { marketIds, rows, send };
  }

  async #describe(marketIds: readonly string[]): Promise<ReadonlyMap<string, LiveRow>> {
    const { markets, logger, signal } = this.#deps;
    const found = new Map<string, LiveRow>();
    if (signal.aborted) return found;
    try {
      for (const live of await markets.describe(marketIds, signal))
        if (live.row.kind === 'market') found.set(live.row.market.id, live);
    } catch (error) {
      if (!signal.aborted) logger.debug({ err: error }, 'market descriptions failed; retrying');
    }
    return found;
  }
}
