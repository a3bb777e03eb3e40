import Queue from 'yocto-queue';
import { Notifier } from '../base/async/repeat.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { fillKey } from '../detection/fill-hash.ts';
import type { Knowledge, LiveRow, WaitingStatus } from '../trades/source/source.ts';
import type { Trade } from '../trades/trade.ts';
import type { IntakeDeps } from './ingest-deps.ts';
import { Batch, isRemoved, isTrade, Removals } from './intake/batch.ts';
import { OrderAssembler } from './intake/order-assembler.ts';
import { PendingOrders } from './intake/pending-orders.ts';

/** Trades that may wait for facts. A fifth of the trades in flight is reserved for those that need none. */
const WAITING_MAX = 40_000;
/** Rows in flight: about 50 MB, and minutes of the market at its busiest. */
const IN_FLIGHT_MAX = 50_000;

interface QueuedRow {
  readonly live: LiveRow;
  readonly arrivedAt: EpochMs;
  /** Whether its source has shown all fills of its second. */
  readonly isWhole: boolean;
}

/** How rows are enqueued. */
export interface EnqueueOptions {
  /** Whether the source has shown every trade of the seconds of these rows, so that their orders need not wait for more. */
  readonly isWhole: boolean;
}

/**
 * Passes on the rows of a live market: every trade once, in complete orders (at most 1.5 s after the last trade of their
 * second), each wallet's orders in sequence, and none before the wallet facts that it needs. Memory is bounded: rows beyond
 * the bound wait before they are taken. Serves one run: rows enqueued after its batches ended are dropped, and must be
 * enqueued in the next run's intake again.
 */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #inFlight = new InFlightTrades();
  readonly #removals = new Removals();
  readonly #notifier = new Notifier();
  readonly #space = new Notifier();
  readonly #queue = new Queue<QueuedRow>();
  #knowledge: Knowledge | null = null;
  #lastWaiting: Promise<void> | null = null;
  #isClosed = false;
  #pending: PendingOrders | null = null;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
  }

  /**
   * Takes rows, oldest first. Known trades are skipped; a removed fill follows its trade. Resolves when all are taken,
   * which waits while 50,000 trades are in flight.
   */
  readonly enqueue = (
    rows: readonly LiveRow[],
    { isWhole }: EnqueueOptions = { isWhole: false },
  ): Promise<void> => {
    // No trade overtakes a trade that waits for room; a market's row may.
    const mayTake = this.#lastWaiting === null || !rows.some(isOrdered);
    const haveRoom = this.#inFlight.size + rows.length <= IN_FLIGHT_MAX;
    const taken = mayTake ? this.#take(rows, 0, isWhole && haveRoom) : 0;
    if (taken === rows.length) return Promise.resolve();
    const waiting = this.#takeInOrder(this.#lastWaiting, rows, taken).then(() => {
      if (this.#lastWaiting === waiting) this.#lastWaiting = null;
    });
    this.#lastWaiting = waiting;
    return waiting;
  };

  /** Whether the trade is enqueued and not judged yet. */
  readonly isInFlight = (fill: Trade): boolean => this.#inFlight.has(fill);

  /** Time of the oldest trade that is enqueued and not judged yet; null when there is none. */
  readonly oldestWaiting = (): EpochMs | null => this.#inFlight.oldest();

  /**
   * Must be called once. A batch with trades ends with a close row. A batch counts as judged when the next one is
   * requested. Ends when the signal aborts.
   */
  async *batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const over = new AbortController();
    const life = AbortSignal.any([signal, over.signal]);
    const orders = new OrderAssembler(this.#deps.clock, life, this.#notify);
    const pending = this.#openPending(life, knowledge);
    signal.addEventListener('abort', this.#notify);
    this.#skipSeen(knowledge);
    try {
      while (!signal.aborted) {
        const notified = this.#notifier.nextNotification();
        const { rows } = this.#nextBatch(orders, pending);
        this.#deps.metrics.tradesWaiting(pending.walletQueues.trades);
        if (rows.length > 0) yield rows;
        else if (!this.#makeRoom(orders, pending)) await notified;
        this.#inFlight.end(rows);
        if (rows.length > 0) this.#space.notify();
      }
    } finally {
      signal.removeEventListener('abort', this.#notify);
      over.abort();
      // Rows that are queued or still waiting stay in flight: they must be enqueued in the next run again.
      this.#isClosed = true;
      this.#queue.clear();
      this.#space.notify();
    }
  }

  status(): WaitingStatus {
    const { walletQueues, descriptions } = this.#pending ?? {};
    return {
      ...(walletQueues?.status() ?? NOTHING_WAITS),
      undescribed: descriptions?.status() ?? { markets: 0, oldest: null, givenUp: 0 },
    };
  }

  #openPending(signal: AbortSignal, knowledge: Knowledge): PendingOrders {
    const onChange = () => {
      pending.changed();
      this.#notify();
    };
    const pending = new PendingOrders({ ...this.#deps, knowledge, signal, onChange });
    this.#pending = pending;
    return pending;
  }

  readonly #notify = (): void => this.#notifier.notify();

  /** The rows that may pass now: complete orders, then a close row. */
  #nextBatch(orders: OrderAssembler, pending: PendingOrders): Batch {
    const batch = new Batch(this.#removals);
    for (const removed of this.#removals.takeReady(this.isInFlight)) batch.add(removed);
    pending.release(batch);
    while (!batch.isFull) {
      const queued = this.#queue.dequeue();
      if (queued === undefined) break;
      const { live, arrivedAt, isWhole } = queued;
      if (isTrade(live)) orders.add(live, arrivedAt, isWhole);
      else batch.add(live);
    }
    // Rows that are still queued may belong to a second that is due.
    if (!batch.isFull) orders.closeDue();
    while (!batch.isFull) {
      const order = orders.next;
      if (order === undefined || order.asTrade.at > pending.walletQueues.watermark()) break;
      orders.shift();
      if (!pending.admit(order, batch)) for (const fill of order.fills) batch.add(fill);
    }
    batch.close();
    return batch;
  }

  /**
   * Releases something when the limit of waiting trades is reached, or no more rows can be taken. False when nothing can be
   * released. Everything that waits will then come by itself; orders after the watermark do so once the orders before it are
   * settled or given up.
   */
  #makeRoom(orders: OrderAssembler, pending: PendingOrders): boolean {
    if (orders.next !== undefined) return false;
    if (pending.walletQueues.trades >= WAITING_MAX && pending.giveUpLargest()) return true;
    // Every row in flight waits for something, so that no row is taken before one is released.
    const isFull = this.#queue.size === 0 && this.#inFlight.size >= IN_FLIGHT_MAX;
    return isFull && orders.closeEarly();
  }

  /** From now on judged trades are skipped, including those that are enqueued already. */
  #skipSeen(knowledge: Knowledge): void {
    this.#knowledge = knowledge;
    const queued = [...this.#queue.drain()];
    const isSeen = ({ live }: QueuedRow) => isTrade(live) && knowledge.hasSeen(live.row.trade);
    for (const row of queued) if (!isSeen(row)) this.#queue.enqueue(row);
    this.#inFlight.end(queued.filter(isSeen).map(({ live }) => live));
  }

  /** Takes rows from the position on while there is room; returns the position of the first not taken. */
  #take(rows: readonly LiveRow[], from: number, isWhole: boolean): number {
    let next = from;
    for (let row = rows[next]; row !== undefined && this.#hasRoom(row); row = rows[++next])
      this.#admit(row, isWhole);
    if (this.#queue.size + this.#removals.size > 0) this.#notify();
    return next;
  }

  /** Rows that are taken in several steps are not whole: their seconds may be closed in between. */
  async #takeInOrder(before: Promise<void> | null, rows: readonly LiveRow[], from: number): Promise<void> {
    await before;
    for (let next = this.#take(rows, from, false); next < rows.length; next = this.#take(rows, next, false))
      await this.#space.nextNotification();
  }

  #hasRoom(row: LiveRow): boolean {
    return this.#isClosed || (isTrade(row) ? this.#inFlight.size : this.#queue.size) < IN_FLIGHT_MAX;
  }

  #admit(row: LiveRow, isWhole: boolean): void {
    if (this.#isClosed || (isTrade(row) && !this.#isNew(row.row.trade))) return;
    if (isRemoved(row)) this.#removals.add(row);
    else this.#queue.enqueue({ live: row, arrivedAt: this.#deps.clock.now(), isWhole });
  }

  /** A fill that is shown again before its removal was passed on stays. */
  #isNew(trade: Trade): boolean {
    this.#removals.take(trade);
    const isFirst = this.#knowledge?.hasSeen(trade) !== true && this.#inFlight.add(trade);
    this.#deps.metrics.feedTrades(isFirst ? 'new' : 'known', 1);
    return isFirst;
  }
}

const NOTHING_WAITS = { trades: 0, wallets: 0, asking: 0, givenUp: 0, oldest: null, factsDelayed: null };

function isOrdered(row: LiveRow): boolean {
  return isTrade(row) || isRemoved(row);
}

/** The trades that are enqueued and not judged yet, by the key by which the detector recognises a repeat. */
class InFlightTrades {
  readonly #times = new Map<string, EpochMs>();

  get size(): number {
    return this.#times.size;
  }

  has(fill: Trade): boolean {
    return this.#times.has(fillKey(fill));
  }

  add(fill: Trade): boolean {
    const key = fillKey(fill);
    if (this.#times.has(key)) return false;
    this.#times.set(key, fill.at);
    return true;
  }

  end(rows: readonly LiveRow[]): void {
    for (const row of rows) if (isTrade(row)) this.#times.delete(fillKey(row.row.trade));
  }

  oldest(): EpochMs | null {
    let oldest: EpochMs | null = null;
    for (const at of this.#times.values()) if (oldest === null || at < oldest) oldest = at;
    return oldest;
  }
}
