import type { Clock } from '../clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { MarketSource } from '../ports/market-source.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Knowledge, LiveRow, WaitingStatus } from '../ports/source.ts';
import type { WalletFactsSource } from '../ports/wallet-facts-source.ts';
import type { EpochMs, Trade } from '../trade.ts';
import { type Batch, createBatch, isTrade } from './intake/batch.ts';
import { FactsDesk } from './intake/facts-desk.ts';
import { MarketDesk } from './intake/market-desk.ts';
import { createOffers, type OfferOptions, type Offers } from './intake/offers.ts';
import { OrderAssembler } from './intake/order-assembler.ts';
import { WaitingRoom } from './intake/waiting-room.ts';

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
  status(): WaitingStatus;
}

/** What the intake stands on. `random`: from 0 up to 1, spreads repeated questions. */
export interface IntakeDeps {
  readonly facts: WalletFactsSource;
  readonly markets: MarketSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'feedTrades' | 'tradesWaiting' | 'factsAsked'>;
}

/** An intake for one run of a live feed. */
export function createIntake(deps: IntakeDeps): Intake {
  const offers = createOffers(deps);
  let room: WaitingRoom | null = null;
  let countAsking = () => 0;

  function openRoom(signal: AbortSignal, knowledge: Knowledge): WaitingRoom {
    const desk = new FactsDesk(deps, signal);
    const markets = new MarketDesk(deps, signal);
    countAsking = () => desk.asking;
    return new WaitingRoom({ ...deps, desk, markets, knowledge, signal, onReady: offers.ring });
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
        deps.metrics.tradesWaiting(waiting.lines.trades);
        if (rows.length > 0) yield rows;
        else if (!makeRoom(offers, orders, waiting)) await rung;
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
      trades: room?.lines.trades ?? 0,
      wallets: room?.lines.size ?? 0,
      asking: countAsking(),
      givenUp: room?.lines.givenUp ?? 0,
      oldest: room?.lines.oldest() ?? null,
      undescribed: room?.descriptions.status() ?? { markets: 0, oldest: null, givenUp: 0 },
    }),
  };
}

/** What may go on now: whole orders, at the end a close row. */
function nextBatch(offers: Offers, orders: OrderAssembler, waiting: WaitingRoom): Batch {
  const { removals, underWay } = offers;
  const batch = createBatch(removals);
  for (const removed of removals.takeReady(underWay.has)) batch.add(removed);
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
    if (order === undefined || order.asTrade.at > waiting.lines.horizon()) break;
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
function makeRoom(offers: Offers, orders: OrderAssembler, waiting: WaitingRoom): boolean {
  if (orders.next !== undefined) return false;
  if (waiting.lines.trades >= MOST_WAITING && waiting.giveUpLargest()) return true;
  return offers.isFull() && orders.closeEarly();
}
