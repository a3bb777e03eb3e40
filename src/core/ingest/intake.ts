import type { Clock } from '../clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { MarketSource } from '../ports/market-source.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Knowledge, LiveRow } from '../ports/source.ts';
import type { WalletFactsSource } from '../ports/wallet-facts-source.ts';
import type { EpochMs, Trade } from '../trade.ts';
import { type Batch, createBatch, isTrade } from './intake/batch.ts';
import { createFactsDesk } from './intake/facts-desk.ts';
import { createMarketDesk } from './intake/market-desk.ts';
import { createOffers, type OfferOptions, type Offers } from './intake/offers.ts';
import { OrderAssembler } from './intake/order-assembler.ts';
import { createWaitingRoom, type WaitingRoom } from './intake/waiting-room.ts';

/** What waits in the intake, for readiness and the terminal. */
export interface IntakeStatus {
  readonly waitingTrades: number;
  readonly waitingWallets: number;
  /** Wallets whose trades were handed over without facts: after 20 hours, or when no more trades could wait. */
  readonly givenUp: number;
  readonly oldestWaitingAt: EpochMs | null;
  /** Wallets that are asked about now. */
  readonly asking: number;
}

/**
 * Hands over what a live market shows: every trade once, in whole orders (2 s after the last trade of their second, at
 * most), each wallet's in the sequence in which they were closed, and none that needs the wallet's facts before they
 * came. Serves one run: what is offered after its batches ended is dropped, and is to be offered to the next run's
 * intake again.
 */
export interface Intake {
  /** Rows, oldest first; known trades are passed over. Resolves when all are taken, which waits while 50,000 are under way. */
  offer(rows: readonly LiveRow[], options?: OfferOptions): Promise<void>;
  /** Whether the trade was offered and is not judged yet. */
  isUnderWay(fill: Trade): boolean;
  /** Time of the oldest trade that was offered and is not judged yet; null when there is none. */
  oldestWaiting(): EpochMs | null;
  /**
   * To be asked once. A batch that holds trades ends with a close row. What it gave is taken for judged when it is asked
   * for more. Ends when the signal aborts.
   */
  batches(signal: AbortSignal, knowledge: Knowledge): AsyncIterable<readonly LiveRow[]>;
  status(): IntakeStatus;
}

/** What the intake stands on. `random`: from 0 up to 1, spreads repeated questions. */
export interface IntakeDeps {
  readonly facts: WalletFactsSource;
  readonly markets: MarketSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'feedTrades' | 'tradesWaiting'>;
}

/** An intake for one run of a live feed. */
export function createIntake(deps: IntakeDeps): Intake {
  const offers = createOffers(deps);
  let room: WaitingRoom | null = null;
  let countAsking = () => 0;

  function openRoom(signal: AbortSignal, knowledge: Knowledge): WaitingRoom {
    const desk = createFactsDesk(deps, signal);
    const markets = createMarketDesk(deps, signal);
    countAsking = () => desk.asking;
    const { clock, logger } = deps;
    return createWaitingRoom({ desk, markets, knowledge, clock, logger, signal, onReady: offers.ring });
  }

  async function* batches(signal: AbortSignal, knowledge: Knowledge): AsyncGenerator<readonly LiveRow[]> {
    const over = new AbortController();
    const life = AbortSignal.any([signal, over.signal]);
    const orders = new OrderAssembler(deps.clock, life, offers.ring);
    const waiting = openRoom(life, knowledge);
    room = waiting;
    signal.addEventListener('abort', offers.ring);
    offers.open(knowledge);
    try {
      while (!signal.aborted) {
        const rung = offers.nextRing();
        const { rows } = nextBatch(offers, orders, waiting);
        deps.metrics.tradesWaiting(waiting.trades);
        if (rows.length > 0) yield rows;
        else if (!offers.isFull() || !makeRoom(orders, waiting)) await rung;
        offers.judged(rows);
      }
    } finally {
      signal.removeEventListener('abort', offers.ring);
      over.abort();
      offers.close();
    }
  }

  return {
    offer: offers.offer,
    isUnderWay: offers.underWay.has,
    oldestWaiting: offers.underWay.oldest,
    batches,
    status: () => ({
      waitingTrades: room?.trades ?? 0,
      waitingWallets: room?.wallets ?? 0,
      givenUp: room?.givenUp ?? 0,
      oldestWaitingAt: offers.underWay.oldest(),
      asking: countAsking(),
    }),
  };
}

/** What may go on now: whole orders, at the end a close row. */
function nextBatch(offers: Offers, orders: OrderAssembler, waiting: WaitingRoom): Batch {
  const batch = createBatch();
  waiting.release(batch);
  while (!batch.isFull) {
    const offered = offers.shift();
    if (offered === undefined) break;
    const { live, arrivedAt, isWhole } = offered;
    if (isTrade(live)) orders.add(live, arrivedAt, isWhole);
    else batch.add(live);
  }
  // What is left of the offers may belong to a second that is due.
  if (!batch.isFull) orders.closeDue();
  while (!batch.isFull) {
    const order = orders.next;
    if (order === undefined || order.asTrade.at > waiting.horizon()) break;
    orders.shift();
    if (!waiting.admit(order, batch)) for (const fill of order.fills) batch.add(fill);
  }
  batch.close();
  return batch;
}

/** Lets something go on when no more rows can be taken; false when all that waits is to come. */
function makeRoom(orders: OrderAssembler, waiting: WaitingRoom): boolean {
  const isBeyondHorizon = orders.next !== undefined;
  return !isBeyondHorizon && (orders.closeEarly() || waiting.giveUpLargest());
}
