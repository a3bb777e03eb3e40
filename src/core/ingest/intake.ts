import type { EpochMs } from '../base/time/duration.ts';
import type { Knowledge, LiveRow, WaitingStatus } from '../trades/source/source.ts';
import type { Trade } from '../trades/trade.ts';
import type { IntakeDeps } from './ingest-deps.ts';
import { Batch, isTrade } from './intake/batch.ts';
import { type EnqueueOptions, IntakeQueue } from './intake/intake-queue.ts';
import { OrderAssembler } from './intake/order-assembler.ts';
import { PendingOrders } from './intake/pending-orders.ts';

/** Trades that may wait for facts. A fifth of the trades in flight is reserved for those that need none. */
const WAITING_MAX = 40_000;

/**
 * Passes on the rows of a live market: every trade once, in complete orders (at most 1.5 s after the last trade of their
 * second), each wallet's orders in sequence, and none before the wallet facts that it needs. Serves one run: rows enqueued
 * after its batches ended are dropped, and must be enqueued in the next run's intake again.
 */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #queue: IntakeQueue;
  #pending: PendingOrders | null = null;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    this.#queue = new IntakeQueue(deps.clock, deps.metrics);
  }

  /**
   * Takes rows, oldest first. Known trades are skipped; a removed fill follows its trade. Resolves when all are taken,
   * which waits while 50,000 trades are in flight.
   */
  readonly enqueue = (rows: readonly LiveRow[], options?: EnqueueOptions): Promise<void> =>
    this.#queue.enqueue(rows, options);

  /** Whether the trade is enqueued and not judged yet. */
  readonly isInFlight = (fill: Trade): boolean => this.#queue.inFlight.has(fill);

  /** Time of the oldest trade that is enqueued and not judged yet; null when there is none. */
  readonly oldestWaiting = (): EpochMs | null => this.#queue.inFlight.oldest();

  /**
   * Must be called once. A batch with trades ends with a close row. A batch counts as judged when the next one is
   * requested. Ends when the signal aborts.
   */
  async *batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const queue = this.#queue;
    const over = new AbortController();
    const life = AbortSignal.any([signal, over.signal]);
    const orders = new OrderAssembler(this.#deps.clock, life, queue.notify);
    const pending = this.#openPending(life, knowledge);
    signal.addEventListener('abort', queue.notify);
    queue.open(knowledge);
    try {
      while (!signal.aborted) {
        const notified = queue.nextNotification();
        const { rows } = nextBatch(queue, orders, pending);
        this.#deps.metrics.tradesWaiting(pending.walletQueues.trades);
        if (rows.length > 0) yield rows;
        else if (!makeRoom(queue, orders, pending)) await notified;
        queue.judged(rows);
      }
    } finally {
      signal.removeEventListener('abort', queue.notify);
      over.abort();
      queue.close();
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
      this.#queue.notify();
    };
    const pending = new PendingOrders({ ...this.#deps, knowledge, signal, onChange });
    this.#pending = pending;
    return pending;
  }
}

const NOTHING_WAITS = { trades: 0, wallets: 0, asking: 0, givenUp: 0, oldest: null, factsDelayed: null };

/** The rows that may pass now: complete orders, then a close row. */
function nextBatch(queue: IntakeQueue, orders: OrderAssembler, pending: PendingOrders): Batch {
  const { removals, inFlight } = queue;
  const batch = new Batch(removals);
  for (const removed of removals.takeReady((fill) => inFlight.has(fill))) batch.add(removed);
  pending.release(batch);
  while (!batch.isFull) {
    const queued = queue.shift();
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
 * Releases something when no more trades may wait, or no more rows can be taken. False when nothing can be released: then
 * everything that waits will come, orders after the watermark once the orders before it are settled or given up.
 */
function makeRoom(queue: IntakeQueue, orders: OrderAssembler, pending: PendingOrders): boolean {
  if (orders.next !== undefined) return false;
  if (pending.walletQueues.trades >= WAITING_MAX && pending.giveUpLargest()) return true;
  return queue.isFull && orders.closeEarly();
}
