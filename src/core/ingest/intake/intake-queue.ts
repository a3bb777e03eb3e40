import Queue from 'yocto-queue';
import { createNotifier } from '../../async/notifier.ts';
import type { Clock } from '../../clock.ts';
import type { Knowledge, LiveRow } from '../../source/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import type { IngestMetrics } from '../ingest-metrics.ts';
import { isTrade } from './batch.ts';
import { createInFlightTrades, type InFlightTrades } from './in-flight-trades.ts';
import { isRemoved, Removals } from './removals.ts';

/** Rows that may be under way: some 50 MB, and minutes of the market at its busiest. */
const IN_FLIGHT_MAX = 50_000;

/** A row, and when it was taken. */
interface QueuedRow {
  readonly live: LiveRow;
  readonly arrivedAt: EpochMs;
  /** Its source has shown all fills of its second. */
  readonly isWhole: boolean;
}

/** How rows are offered. */
export interface EnqueueOptions {
  /** The source has shown every trade of the seconds of these rows, so that their orders need not wait for more. */
  readonly isWhole: boolean;
}

/** What is offered and not handed over yet. */
export interface IntakeQueue {
  enqueue(rows: readonly LiveRow[], options?: EnqueueOptions): Promise<void>;
  readonly inFlight: Pick<InFlightTrades, 'has' | 'oldest'>;
  /** Removed fills, apart from the order offered. */
  readonly removals: Removals;
  /** The next row in the order offered. */
  shift(): QueuedRow | undefined;
  /** From here on trades that were judged are passed over, also those that were offered before. */
  open(knowledge: Knowledge): void;
  judged(rows: readonly LiveRow[]): void;
  /** Whether all that has room waits for something: no offer is taken before. */
  isFull(): boolean;
  /** There is something to do. */
  notify(): void;
  /** Resolves at the next ring. */
  nextNotification(): Promise<void>;
  /** Drops what is there and what is still offered, which stays under way: the next run is to be offered it again. */
  close(): void;
}

/** Nothing offered yet. Its memory is bounded: an offer that finds no room waits. */
export function createIntakeQueue({
  clock,
  metrics,
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Pick<IngestMetrics, 'feedTrades'>;
}): IntakeQueue {
  const inFlight = createInFlightTrades();
  const [notifier, space] = [createNotifier(), createNotifier()];
  const queue = new Queue<QueuedRow>();
  const removals = new Removals();
  let knowledge: Knowledge | null = null;
  let lastQueued: Promise<void> | null = null;
  let isClosed = false;

  /** Takes rows from the position on while there is room; the position of the first not taken. */
  function take(rows: readonly LiveRow[], from: number, isWhole: boolean): number {
    let next = from;
    for (let row = rows[next]; row !== undefined && hasRoom(row); row = rows[++next]) admit(row, isWhole);
    if (queue.size + removals.size > 0) notifier.notify();
    return next;
  }

  function admit(row: LiveRow, isWhole: boolean): void {
    if (isClosed || (isTrade(row) && !isNew(row.row.trade))) return;
    if (isRemoved(row)) removals.add(row);
    else queue.enqueue({ live: row, arrivedAt: clock.now(), isWhole });
  }

  /** A fill that is shown again before its removal went over stays. */
  function isNew(trade: Trade): boolean {
    removals.take(trade);
    const isFirst = knowledge?.hasSeen(trade) !== true && inFlight.add(trade);
    metrics.feedTrades(isFirst ? 'new' : 'known', 1);
    return isFirst;
  }

  const hasRoom = (row: LiveRow) => isClosed || (isTrade(row) ? inFlight.size : queue.size) < IN_FLIGHT_MAX;

  /** Rows that are taken in several steps are not whole: their seconds may be closed in between. */
  async function takeInOrder(before: Promise<void>, rows: readonly LiveRow[], from: number): Promise<void> {
    await before;
    for (let next = take(rows, from, false); next < rows.length; next = take(rows, next, false))
      await space.nextNotification();
  }

  return {
    enqueue(rows, { isWhole } = { isWhole: false }) {
      // Behind a trade that waits for room no other may overtake; a market's row may.
      const mayTake = lastQueued === null || !rows.some(isOrdered);
      const taken = mayTake ? take(rows, 0, isWhole && haveRoom(rows, inFlight)) : 0;
      if (taken === rows.length) return Promise.resolve();
      const previous = takeInOrder(lastQueued ?? Promise.resolve(), rows, taken).then(() => {
        if (lastQueued === previous) lastQueued = null;
      });
      lastQueued = previous;
      return previous;
    },
    inFlight,
    removals,
    shift: () => queue.dequeue(),
    open(given) {
      knowledge = given;
      inFlight.end(takeSeen(queue, given));
    },
    judged(rows) {
      inFlight.end(rows);
      if (rows.length > 0) space.notify();
    },
    isFull: () => queue.size === 0 && inFlight.size >= IN_FLIGHT_MAX,
    ...notifier,
    close() {
      isClosed = true;
      while (queue.dequeue() !== undefined);
      space.notify();
    },
  };
}

function isOrdered(row: LiveRow): boolean {
  return isTrade(row) || isRemoved(row);
}

function haveRoom(rows: readonly LiveRow[], { size }: InFlightTrades): boolean {
  return size + rows.length <= IN_FLIGHT_MAX;
}

function takeSeen(queue: Queue<QueuedRow>, { hasSeen }: Knowledge): readonly LiveRow[] {
  const seen: LiveRow[] = [];
  for (let left = queue.size; left > 0; left -= 1) {
    const queued = queue.dequeue() as QueuedRow;
    const { live } = queued;
    if (isTrade(live) && hasSeen(live.row.trade)) seen.push(live);
    else queue.enqueue(queued);
  }
  return seen;
}
