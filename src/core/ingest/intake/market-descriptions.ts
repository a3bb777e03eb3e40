import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { hasWords } from '../../detection/order.ts';
import { MINUTE_MS } from '../../duration.ts';
import type { Logger } from '../../logger.ts';
import type { Knowledge, LiveRow, UndescribedStatus } from '../../source/source.ts';
import type { EpochMs } from '../../trade.ts';
import type { LiveOrder } from './live-order.ts';
import type { MarketLoader } from './market-loader.ts';
import { LONGEST_WAIT_MS } from './wallet-queues.ts';

/** A market that was not described is not waited for either by the next orders with words of their own. */
const FORGET_MS = 10 * MINUTE_MS;
const REMEMBERED = 1_000;

/** A market's row that orders wait for. */
export interface MarketDescription {
  readonly row: LiveRow | null;
  /** It was described, or is not waited for any longer by any order. */
  readonly isOver: boolean;
  /** Only orders without words of their own wait for it any longer. */
  readonly isLate: boolean;
}

interface Asked {
  readonly marketId: string;
  readonly since: EpochMs;
  row: LiveRow | null;
  isOver: boolean;
  isLate: boolean;
  /** Orders without words that wait for it: their fills, and the time of the oldest. */
  wordless: number;
  oldestAt: EpochMs;
}

/** What descriptions need. `onChange`: one has come, or fewer orders wait for it. */
export interface MarketDescriptionsDeps {
  readonly loader: MarketLoader;
  readonly knowledge: Pick<Knowledge, 'time'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  onChange(): void;
}

/** Descriptions of markets asked for, each once for all orders that wait for it. */
export class MarketDescriptions {
  readonly #deps: MarketDescriptionsDeps;
  readonly #asked = new Map<string, Asked>();
  readonly #undescribed = new LRUCache<string, EpochMs>({ max: REMEMBERED });
  #givenUp = 0;

  constructor(deps: MarketDescriptionsDeps) {
    this.#deps = deps;
  }

  /**
   * What the order is to wait for; null when nothing is. One with words of its own waits a minute, one without until the market
   * is described, 20 hours at most.
   */
  wait({ asTrade, fills }: LiveOrder): MarketDescription | null {
    const { marketId, at } = asTrade;
    const isNamed = hasWords(asTrade);
    if (isNamed && this.#isLate(marketId)) return null;
    const asked = this.#asked.get(marketId) ?? this.#ask(marketId);
    if (isNamed) return asked;
    asked.wordless += fills.length;
    asked.oldestAt = Math.min(asked.oldestAt, at);
    return asked;
  }

  /** Of those that only orders without words wait for, lets the most fills go on; false when there is none. */
  giveUpLargest(): boolean {
    let largest: Asked | null = null;
    for (const asked of this.#asked.values())
      if (asked.isLate && asked.wordless > (largest?.wordless ?? 0)) largest = asked;
    if (largest !== null) this.#giveUp(largest, 'no more trades can wait; a market is named by its ids');
    return largest !== null;
  }

  status(): UndescribedStatus {
    const waited = [...this.#asked.values()].filter(({ wordless }) => wordless > 0);
    const [first] = waited;
    return {
      markets: waited.length,
      oldest: first === undefined ? null : { marketId: first.marketId, since: first.since },
      givenUp: this.#givenUp,
    };
  }

  #isLate(marketId: string): boolean {
    const since = this.#deps.clock.now() - FORGET_MS;
    return this.#asked.get(marketId)?.isLate ?? (this.#undescribed.get(marketId) ?? 0) > since;
  }

  #ask(marketId: string): Asked {
    const since = this.#deps.clock.now();
    const waiting = { wordless: 0, oldestAt: Number.POSITIVE_INFINITY };
    const asked = { marketId, since, row: null, isOver: false, isLate: this.#isLate(marketId), ...waiting };
    this.#asked.set(marketId, asked);
    void this.#load(asked);
    return asked;
  }

  async #load(asked: Asked): Promise<void> {
    const { loader, clock, signal, onChange } = this.#deps;
    const { marketId } = asked;
    const isWanted = () =>
      !asked.isOver && (!asked.isLate || (asked.wordless > 0 && !this.#isTooLate(asked)));
    const onLate = () => {
      asked.isLate = true;
      this.#undescribed.set(marketId, clock.now());
      onChange();
    };
    let row: LiveRow | null = null;
    // Again where an order came that wants it as the question was ending.
    while (row === null && !signal.aborted && isWanted())
      row = await loader.ask({ marketId, isWanted, onLate });
    if (asked.isOver || signal.aborted) return;
    if (row === null && asked.wordless > 0)
      this.#giveUp(asked, 'no description of a market in 20 hours; it is named by its ids');
    else this.#end(asked, row);
  }

  /** By the source's time, and by the clock, since the source's time may stand still. */
  #isTooLate({ oldestAt, since }: Asked): boolean {
    const { knowledge, clock } = this.#deps;
    return knowledge.time - oldestAt >= LONGEST_WAIT_MS || clock.now() - since >= LONGEST_WAIT_MS;
  }

  #giveUp(asked: Asked, why: string): void {
    this.#givenUp += 1;
    this.#deps.logger.warn({ marketId: asked.marketId, trades: asked.wordless }, why);
    this.#end(asked, null);
  }

  #end(asked: Asked, row: LiveRow | null): void {
    Object.assign(asked, { row, isOver: true });
    this.#asked.delete(asked.marketId);
    this.#deps.onChange();
  }
}
