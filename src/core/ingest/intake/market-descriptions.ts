import { LRUCache } from 'lru-cache';
import { backoffMs } from '../../base/async/retry.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { hasWords } from '../../detection/order.ts';
import type { LiveRow, UndescribedStatus } from '../../trades/source/source.ts';
import type { IntakeRunDeps } from '../ingest-deps.ts';
import type { LiveOrder } from './order-assembler.ts';
import { LONGEST_WAIT_MS } from './wallet-queues.ts';

/** How long after a market was not described further orders with a title of their own do not wait for it. */
const FORGET_MS = 10 * MINUTE_MS;
const REMEMBERED = 1_000;

/** The awaited row of a market. */
export type MarketDescription = Readonly<Pick<Request, 'row' | 'isOver' | 'isLate'>>;

interface Request {
  readonly marketId: string;
  readonly since: EpochMs;
  row: LiveRow | null;
  /** The market was described, or no order waits for it any longer. */
  isOver: boolean;
  /** Only orders without a title of their own still wait for it. */
  isLate: boolean;
  /** Waiting orders without a title: their fills, and the time of the oldest. */
  untitled: number;
  oldestAt: EpochMs;
}

/** Requests descriptions of markets, each once for all orders that wait for it. */
export class MarketDescriptions {
  readonly #deps: IntakeRunDeps;
  readonly #loader: MarketLoader;
  readonly #requests = new Map<string, Request>();
  readonly #undescribed = new LRUCache<string, EpochMs>({ max: REMEMBERED });
  #givenUp = 0;

  constructor(deps: IntakeRunDeps) {
    this.#deps = deps;
    this.#loader = new MarketLoader(deps);
  }

  /**
   * The description that the order must wait for; null when none. An order with a title of its own waits a minute, another
   * until the market is described, at most 20 hours.
   */
  wait({ asTrade, fills }: LiveOrder): MarketDescription | null {
    const { marketId, at } = asTrade;
    const isNamed = hasWords(asTrade);
    if (isNamed && this.#isLate(marketId)) return null;
    const request = this.#requests.get(marketId) ?? this.#ask(marketId);
    if (isNamed) return request;
    request.untitled += fills.length;
    request.oldestAt = Math.min(request.oldestAt, at);
    return request;
  }

  /** Gives up the market with the most waiting fills among those only untitled orders wait for; false when there is none. */
  giveUpLargest(): boolean {
    let largest: Request | null = null;
    for (const request of this.#requests.values())
      if (request.isLate && request.untitled > (largest?.untitled ?? 0)) largest = request;
    if (largest !== null)
      this.#giveUp(largest, 'no room for more waiting trades; a market is named by its ids');
    return largest !== null;
  }

  status(): UndescribedStatus {
    const waited = [...this.#requests.values()].filter(({ untitled }) => untitled > 0);
    const [first] = waited;
    return {
      markets: waited.length,
      oldest: first === undefined ? null : { marketId: first.marketId, since: first.since },
      givenUp: this.#givenUp,
    };
  }

  #isLate(marketId: string): boolean {
    const since = this.#deps.clock.now() - FORGET_MS;
    return this.#requests.get(marketId)?.isLate ?? (this.#undescribed.get(marketId) ?? 0) > since;
  }

  #ask(marketId: string): Request {
    const since = this.#deps.clock.now();
    const waiting = { untitled: 0, oldestAt: Number.POSITIVE_INFINITY };
    const request = { marketId, since, row: null, isOver: false, isLate: this.#isLate(marketId), ...waiting };
    this.#requests.set(marketId, request);
    void this.#load(request);
    return request;
  }

  async #load(request: Request): Promise<void> {
    const { clock, signal, onChange } = this.#deps;
    const { marketId } = request;
    const isWanted = () =>
      !request.isOver && (!request.isLate || (request.untitled > 0 && !this.#isTooLate(request)));
    const onLate = () => {
      request.isLate = true;
      this.#undescribed.set(marketId, clock.now());
      onChange();
    };
    let row: LiveRow | null = null;
    // Repeated when an order that needs it arrived as the request was ending.
    while (row === null && !signal.aborted && isWanted())
      row = await this.#loader.ask(marketId, isWanted, onLate);
    if (request.isOver || signal.aborted) return;
    if (row === null && request.untitled > 0)
      this.#giveUp(request, 'market not described within 20 hours; it is named by its ids');
    else this.#end(request, row);
  }

  /** By the source's time and by the clock, since the source's time may stand still. */
  #isTooLate({ oldestAt, since }: Request): boolean {
    const { knowledge, clock } = this.#deps;
    return knowledge.time - oldestAt >= LONGEST_WAIT_MS || clock.now() - since >= LONGEST_WAIT_MS;
  }

  #giveUp(request: Request, why: string): void {
    this.#givenUp += 1;
    this.#deps.logger.warn({ marketId: request.marketId, trades: request.untitled }, why);
    this.#end(request, null);
  }

  #end(request: Request, row: LiveRow | null): void {
    Object.assign(request, { row, isOver: true });
    this.#requests.delete(request.marketId);
    this.#deps.onChange();
  }
}

/** Requests are collected this long, up to `AT_ONCE`, and sent together. */
const COLLECT_MS = 100;
const AT_ONCE = 20;
/** How long a trade with a title of its own waits for its market's row, which is only an improvement. */
const WAIT_LIMIT_MS = MINUTE_MS;
const RETRY = { firstMs: SECOND_MS, mostMs: 15 * SECOND_MS };
const RETRY_LATE = { firstMs: 15 * SECOND_MS, mostMs: 10 * MINUTE_MS };

interface MarketBatch {
  readonly marketIds: string[];
  readonly rows: Promise<ReadonlyMap<string, LiveRow>>;
  send(): void;
}

/** Loads the rows of markets, 20 at a time, with retries until there is an answer. */
class MarketLoader {
  readonly #deps: IntakeRunDeps;
  #batch: MarketBatch | null = null;

  constructor(deps: IntakeRunDeps) {
    this.#deps = deps;
  }

  /**
   * The market's row; null when it is no longer wanted, or the signal aborted. Never rejects. `isWanted` is checked between two
   * attempts; `onLate` is called when a minute has passed without an answer.
   */
  async ask(marketId: string, isWanted: () => boolean, onLate: () => void): Promise<LiveRow | null> {
    const { clock, random, signal } = this.#deps;
    const answered = new AbortController();
    let lateAttempts = 0;
    void clock.sleep(WAIT_LIMIT_MS, AbortSignal.any([signal, answered.signal])).then(() => {
      if (answered.signal.aborted || signal.aborted) return;
      lateAttempts = 1;
      onLate();
    });
    let row: LiveRow | null = null;
    // Not `retry`: a missing row is not an error, and the pauses change once the answer is late.
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
