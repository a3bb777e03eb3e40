import type { Clock } from '../../clock.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Knowledge, LiveRow } from '../../ports/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import { isTrade } from './batch.ts';
import { createBell } from './bell.ts';
import { createFifo, type Fifo } from './fifo.ts';
import { isRemoved, Removals } from './removals.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';

/** Rows that may be under way: some 50 MB, and minutes of the market at its busiest. */
const MOST_UNDER_WAY = 50_000;

/** A row, and when it was taken. */
interface Offered {
  readonly live: LiveRow;
  readonly arrivedAt: EpochMs;
  /** Its source has shown all fills of its second. */
  readonly isWhole: boolean;
}

/** How rows are offered. */
export interface OfferOptions {
  /** The source has shown every trade of the seconds of these rows, so that their orders need not wait for more. */
  readonly isWhole: boolean;
}

/** What is offered and not handed over yet. */
export interface Offers {
  offer(rows: readonly LiveRow[], options?: OfferOptions): Promise<void>;
  readonly underWay: Pick<UnderWay, 'has' | 'oldest'>;
  /** Removed fills, apart from the order offered. */
  readonly removals: Removals;
  /** The next row in the order offered. */
  shift(): Offered | undefined;
  /** From here on trades that were judged are passed over, also those that were offered before. */
  open(knowledge: Knowledge): void;
  judged(rows: readonly LiveRow[]): void;
  /** Whether all that has room waits for something: no offer is taken before. */
  isFull(): boolean;
  /** There is something to do. */
  ring(): void;
  /** Resolves at the next ring. */
  nextRing(): Promise<void>;
  /** Drops what is there and what is still offered, which stays under way: the next run is to be offered it again. */
  close(): void;
}

/** Nothing offered yet. Its memory is bounded: an offer that finds no room waits. */
export function createOffers({
  clock,
  metrics,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<Metrics, 'feedTrades'>;
}): Offers {
  const underWay = createUnderWay();
  const [bell, space] = [createBell(), createBell()];
  const queue = createFifo<Offered>();
  const removals = new Removals();
  let knowledge: Knowledge | null = null;
  let lastInLine: Promise<void> | null = null;
  let isClosed = false;

  /** Takes rows from the position on while there is room; the position of the first not taken. */
  function take(rows: readonly LiveRow[], from: number, isWhole: boolean): number {
    let next = from;
    for (let row = rows[next]; row !== undefined && hasRoom(row); row = rows[++next]) admit(row, isWhole);
    if (queue.size + removals.size > 0) bell.ring();
    return next;
  }

  function admit(row: LiveRow, isWhole: boolean): void {
    if (isClosed || (isTrade(row) && !isNew(row.row.trade))) return;
    if (isRemoved(row)) removals.add(row);
    else queue.push({ live: row, arrivedAt: clock.now(), isWhole });
  }

  /** A fill that is shown again before its removal went over stays. */
  function isNew(trade: Trade): boolean {
    removals.take(trade);
    const isFirst = knowledge?.hasSeen(trade) !== true && underWay.add(trade);
    metrics.feedTrades(isFirst ? 'new' : 'known', 1);
    return isFirst;
  }

  const hasRoom = (row: LiveRow) => isClosed || (isTrade(row) ? underWay.size : queue.size) < MOST_UNDER_WAY;

  /** Rows that are taken in several steps are not whole: their seconds may be closed in between. */
  async function takeInTurn(before: Promise<void>, rows: readonly LiveRow[], from: number): Promise<void> {
    await before;
    for (let next = take(rows, from, false); next < rows.length; next = take(rows, next, false))
      await space.nextRing();
  }

  return {
    offer(rows, { isWhole } = { isWhole: false }) {
      // Behind a trade that waits for room no other may overtake; a market's row may.
      const mayTake = lastInLine === null || !rows.some(isOrdered);
      const taken = mayTake ? take(rows, 0, isWhole && haveRoom(rows, underWay)) : 0;
      if (taken === rows.length) return Promise.resolve();
      const turn = takeInTurn(lastInLine ?? Promise.resolve(), rows, taken).then(() => {
        if (lastInLine === turn) lastInLine = null;
      });
      lastInLine = turn;
      return turn;
    },
    underWay,
    removals,
    shift: () => queue.shift(),
    open(given) {
      knowledge = given;
      underWay.end(takeSeen(queue, given));
    },
    judged(rows) {
      underWay.end(rows);
      if (rows.length > 0) space.ring();
    },
    isFull: () => queue.size === 0 && underWay.size >= MOST_UNDER_WAY,
    ...bell,
    close() {
      isClosed = true;
      while (queue.shift() !== undefined);
      space.ring();
    },
  };
}

function isOrdered(row: LiveRow): boolean {
  return isTrade(row) || isRemoved(row);
}

function haveRoom(rows: readonly LiveRow[], { size }: UnderWay): boolean {
  return size + rows.length <= MOST_UNDER_WAY;
}

function takeSeen(queue: Fifo<Offered>, { hasSeen }: Knowledge): readonly LiveRow[] {
  const seen: LiveRow[] = [];
  for (let left = queue.size; left > 0; left -= 1) {
    const offered = queue.shift() as Offered;
    const { live } = offered;
    if (isTrade(live) && hasSeen(live.row.trade)) seen.push(live);
    else queue.push(offered);
  }
  return seen;
}
