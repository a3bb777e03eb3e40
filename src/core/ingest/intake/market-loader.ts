import { backoffMs } from '../../async/backoff.ts';
import type { Clock } from '../../clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../duration.ts';
import type { Logger } from '../../logger.ts';
import type { MarketSource } from '../../source/market-source.ts';
import type { LiveRow } from '../../source/source.ts';

/** Questions are collected this long, up to so many, and asked together. */
const COLLECT_MS = 100;
const AT_ONCE = 20;
/** So long a trade with words of its own waits for its market's row, which only makes it better. */
const WAIT_LIMIT_MS = MINUTE_MS;
const RETRY = { firstMs: SECOND_MS, mostMs: 15 * SECOND_MS };
const RETRY_LATE = { firstMs: 15 * SECOND_MS, mostMs: 10 * MINUTE_MS };

/** Which market is wanted, and how long. */
export interface MarketDescriptionRequest {
  readonly marketId: string;
  /** Looked at between two attempts. */
  isWanted(): boolean;
  /** A minute has passed without an answer. */
  onLate(): void;
}

/** Dependencies of `MarketLoader`. `random`: from 0 up to 1, spreads the attempts. */
export interface MarketLoaderDeps {
  readonly markets: MarketSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Questions that are asked together, and what came of them, by market. */
interface MarketBatch {
  readonly marketIds: string[];
  readonly rows: Promise<ReadonlyMap<string, LiveRow>>;
  send(): void;
}

/** Asks what markets are, many at once, until there is an answer. Ends with the signal. */
export class MarketLoader {
  readonly #deps: MarketLoaderDeps;
  readonly #signal: AbortSignal;
  #batch: MarketBatch | null = null;

  constructor(deps: MarketLoaderDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** The market's row; null when it is not wanted any longer, or the signal aborted. Never rejects. */
  async ask({ marketId, isWanted, onLate }: MarketDescriptionRequest): Promise<LiveRow | null> {
    const { clock, random } = this.#deps;
    const answered = new AbortController();
    let lateAttempts = 0;
    void clock.sleep(WAIT_LIMIT_MS, AbortSignal.any([this.#signal, answered.signal])).then(() => {
      if (answered.signal.aborted || this.#signal.aborted) return;
      lateAttempts = 1;
      onLate();
    });
    let row: LiveRow | null = null;
    for (let attempt = 1; row === null && !this.#signal.aborted && isWanted(); attempt += 1) {
      row = await this.#attempt(marketId);
      if (row !== null || !isWanted()) break;
      const waitMs =
        lateAttempts === 0
          ? backoffMs(RETRY, attempt, random)
          : backoffMs(RETRY_LATE, lateAttempts++, random);
      await clock.sleep(waitMs, this.#signal);
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
    const marketIds: string[] = [];
    const full = new AbortController();
    const send = () => {
      this.#batch = null;
      full.abort();
    };
    const isDue = this.#deps.clock.sleep(COLLECT_MS, AbortSignal.any([this.#signal, full.signal]));
    const rows = isDue.then(() => {
      if (!full.signal.aborted) send();
      return this.#describe(marketIds);
    });
    return { marketIds, rows, send };
  }

  async #describe(marketIds: readonly string[]): Promise<ReadonlyMap<string, LiveRow>> {
    const found = new Map<string, LiveRow>();
    if (this.#signal.aborted) return found;
    try {
      for (const live of await this.#deps.markets.describe(marketIds, this.#signal))
        if (live.row.kind === 'market') found.set(live.row.market.id, live);
    } catch (error) {
      if (!this.#signal.aborted) this.#deps.logger.debug({ err: error }, 'markets could not be described');
    }
    return found;
  }
}
