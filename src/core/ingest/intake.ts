import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { MarketSource } from '../source/market-source.ts';
import type { Knowledge, LiveRow, WaitingStatus } from '../source/source.ts';
import type { WalletFactsSource } from '../source/wallet-facts-source.ts';
import type { EpochMs, Trade } from '../trade.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { type Batch, createBatch, isTrade } from './intake/batch.ts';
import { createIntakeQueue, type EnqueueOptions, type IntakeQueue } from './intake/intake-queue.ts';
import { MarketLoader } from './intake/market-loader.ts';
import { OrderAssembler } from './intake/order-assembler.ts';
import { PendingOrders } from './intake/pending-orders.ts';
import { WalletFactsLoader } from './intake/wallet-facts-loader.ts';

/** A fifth of the trades that may be under way is left to those that need no facts. */
const MOST_WAITING = 40_000;

/**
 * Hands over what a live market shows: every trade once, in whole orders (1.5 s after the last trade of their second, at
 * most), each wallet's in the sequence in which they were closed, and none that needs the wallet's facts before they
 * came. Serves one run: what is offered after its batches ended is dropped, and is to be offered to the next run's
 * intake again.
 */
export interface Intake {
  /**
   * Rows, oldest first; known trades are passed over, and a removed fill goes over behind its trade. Resolves when all are
   * taken, which waits while 50,000 are under way.
   */
  enqueue(rows: readonly LiveRow[], options?: EnqueueOptions): Promise<void>;
  /** Whether the trade was offered and is not judged yet. */
  isInFlight(fill: Trade): boolean;
  /** Time of the oldest trade that was offered and is not judged yet; null when there is none. */
  oldestWaiting(): EpochMs | null;
  /**
   * To be asked once. A batch that holds trades ends with a close row. What it gave is taken for judged when it is asked
   * for more. Ends when the signal aborts.
   */
  batches(signal: AbortSignal, knowledge: Knowledge): AsyncIterable<readonly LiveRow[]>;
  status(): WaitingStatus;
}

/** What the intake stands on. `random`: from 0 up to 1, spreads repeated questions. */
export interface IntakeDeps {
  readonly facts: WalletFactsSource;
  readonly markets: MarketSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'feedTrades' | 'tradesWaiting' | 'factsAsked'>;
}

/** An intake for one run of a live feed. */
export function createIntake(deps: IntakeDeps): Intake {
  const queue = createIntakeQueue(deps);
  let room: PendingOrders | null = null;
  let countAsking = () => 0;

  function openRoom(signal: AbortSignal, knowledge: Knowledge): PendingOrders {
    const loader = new WalletFactsLoader(deps, signal);
    const markets = new MarketLoader(deps, signal);
    countAsking = () => loader.asking;
    return new PendingOrders({ ...deps, loader, markets, knowledge, signal, onReady: queue.notify });
  }

  async function* batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const over = new AbortController();
    const life = AbortSignal.any([signal, over.signal]);
    const orders = new OrderAssembler(deps.clock, life, queue.notify);
    const waiting = openRoom(life, knowledge);
    room = waiting;
    signal.addEventListener('abort', queue.notify);
    queue.open(knowledge);
    try {
      while (!signal.aborted) {
        const rung = queue.nextNotification();
        const { rows } = nextBatch(queue, orders, waiting);
        deps.metrics.tradesWaiting(waiting.walletQueues.trades);
        if (rows.length > 0) yield rows;
        else if (!makeRoom(queue, orders, waiting)) await rung;
        queue.judged(rows);
      }
    } finally {
      signal.removeEventListener('abort', queue.notify);
      over.abort();
      queue.close();
    }
  }

  return {
    enqueue: queue.enqueue,
    isInFlight: queue.inFlight.has,
    oldestWaiting: queue.inFlight.oldest,
    batches,
    status: () => ({
      trades: room?.walletQueues.trades ?? 0,
      wallets: room?.walletQueues.size ?? 0,
      asking: countAsking(),
      givenUp: room?.walletQueues.givenUp ?? 0,
      oldest: room?.walletQueues.oldest() ?? null,
      undescribed: room?.descriptions.status() ?? { markets: 0, oldest: null, givenUp: 0 },
    }),
  };
}

/** What may go on now: whole orders, at the end a close row. */
function nextBatch(queue: IntakeQueue, orders: OrderAssembler, waiting: PendingOrders): Batch {
  const { removals, inFlight } = queue;
  const batch = createBatch(removals);
  for (const removed of removals.takeReady(inFlight.has)) batch.add(removed);
  waiting.release(batch);
  while (!batch.isFull) {
    const queued = queue.shift();
    if (queued === undefined) break;
    const { live, arrivedAt, isWhole } = queued;
    if (isTrade(live)) orders.add(live, arrivedAt, isWhole);
    else batch.add(live);
  }
  // What is left of the offers may belong to a second that is due.
  if (!batch.isFull) orders.closeDue();
  while (!batch.isFull) {
    const order = orders.next;
    if (order === undefined || order.asTrade.at > waiting.walletQueues.watermark()) break;
    orders.shift();
    if (!waiting.admit(order, batch)) for (const fill of order.fills) batch.add(fill);
  }
  batch.close();
  return batch;
}

/**
 * Lets something go on when no more trades can wait, or no more rows can be taken; false when all that waits is to come.
 * What waits beyond the horizon is to come, once those it waits for are settled or hopeless.
 */
function makeRoom(queue: IntakeQueue, orders: OrderAssembler, waiting: PendingOrders): boolean {
  if (orders.next !== undefined) return false;
  if (waiting.walletQueues.trades >= MOST_WAITING && waiting.giveUpLargest()) return true;
  return queue.isFull() && orders.closeEarly();
}
