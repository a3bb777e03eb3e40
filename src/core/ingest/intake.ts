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
import { createOffers } from './intake/offers.ts';
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
 * Hands over what a live market shows: every trade once, each wallet's in the order offered, and none that needs the
 * wallet's facts before they came. Serves one run: what is offered after its batches ended is dropped, and is to be
 * offered to the next run's intake again.
 */
export interface Intake {
  /** Rows, oldest first; known trades are passed over. Resolves when all are taken, which waits while 50,000 are under way. */
  offer(rows: readonly LiveRow[]): Promise<void>;
  /** Whether the trade was offered and is not judged yet. */
  isUnderWay(fill: Trade): boolean;
  /** Time of the oldest trade that was offered and is not judged yet; null when there is none. */
  oldestWaiting(): EpochMs | null;
  /** To be asked once. What it gave is taken for judged when it is asked for more. Ends when the signal aborts. */
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
  const offers = createOffers(deps.metrics);
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
    const waiting = openRoom(AbortSignal.any([signal, over.signal]), knowledge);
    room = waiting;
    signal.addEventListener('abort', offers.ring);
    offers.open(knowledge);
    try {
      while (!signal.aborted) {
        const rung = offers.nextRing();
        const { rows } = nextBatch(waiting);
        deps.metrics.tradesWaiting(waiting.trades);
        if (rows.length > 0) yield rows;
        else if (!offers.isFull() || !waiting.giveUpLargest()) await rung;
        offers.judged(rows);
      }
    } finally {
      signal.removeEventListener('abort', offers.ring);
      over.abort();
      offers.close();
    }
  }

  function nextBatch(waiting: WaitingRoom): Batch {
    const batch = createBatch();
    waiting.release(batch);
    while (!batch.isFull && offers.nextAt() <= waiting.horizon()) {
      const row = offers.shift();
      if (row === undefined) break;
      if (!isTrade(row) || !waiting.admit(row, batch)) batch.add(row);
    }
    return batch;
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
