import Queue from 'yocto-queue';
import { Notifier } from '../../base/async/repeat.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { fillKey } from '../../detection/fill-hash.ts';
import type { Knowledge, LiveRow } from '../../trades/source/source.ts';
import type { Trade } from '../../trades/trade.ts';
import type { IngestMetrics } from '../ingest-deps.ts';
import { isRemoved, isTrade, Removals } from './batch.ts';

/** Rows in flight: about 50 MB, and minutes of the market at its busiest. */
const IN_FLIGHT_MAX = 50_000;

interface QueuedRow {
  readonly live: LiveRow;
  readonly arrivedAt: EpochMs;
  /** Its source has shown all fills of its second. */
  readonly isWhole: boolean;
}

/** How rows are enqueued. */
export interface EnqueueOptions {
  /** The source has shown every trade of the seconds of these rows, so that their orders need not wait for more. */
  readonly isWhole: boolean;
}

/** Rows that are enqueued and not passed on yet. Memory is bounded: rows beyond the bound wait before they are taken. */
export class IntakeQueue {
  readonly inFlight = new InFlightTrades();
  readonly removals = new Removals();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #metrics: Pick<IngestMetrics, 'feedTrades'>;
  readonly #notifier = new Notifier();
  readonly #space = new Notifier();
  readonly #queue = new Queue<QueuedRow>();
  #knowledge: Knowledge | null = null;
  #lastWaiting: Promise<void> | null = null;
  #isClosed = false;

  constructor(clock: Pick<Clock, 'now'>, metrics: Pick<IngestMetrics, 'feedTrades'>) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  readonly notify = (): void => this.#notifier.notify();

  nextNotification(): Promise<void> {
    return this.#notifier.nextNotification();
  }

  /** Resolves when all rows are taken. */
  enqueue(rows: readonly LiveRow[], { isWhole }: EnqueueOptions = { isWhole: false }): Promise<void> {
    // No trade overtakes a trade that waits for room; a market's row may.
    const mayTake = this.#lastWaiting === null || !rows.some(isOrdered);
    const haveRoom = this.inFlight.size + rows.length <= IN_FLIGHT_MAX;
    const taken = mayTake ? this.#take(rows, 0, isWhole && haveRoom) : 0;
    if (taken === rows.length) return Promise.resolve();
    const waiting = this.#takeInOrder(this.#lastWaiting, rows, taken).then(() => {
      if (this.#lastWaiting === waiting) this.#lastWaiting = null;
    });
    this.#lastWaiting = waiting;
    return waiting;
  }

  shift(): QueuedRow | undefined {
    return this.#queue.dequeue();
  }

  /** From now on judged trades are skipped, including those that are enqueued already. */
  open(knowledge: Knowledge): void {
    this.#knowledge = knowledge;
    const queued = [...this.#queue.drain()];
    const isSeen = ({ live }: QueuedRow) => isTrade(live) && knowledge.hasSeen(live.row.trade);
    for (const row of queued) if (!isSeen(row)) this.#queue.enqueue(row);
    this.inFlight.end(queued.filter(isSeen).map(({ live }) => live));
  }

  judged(rows: readonly LiveRow[]): void {
    this.inFlight.end(rows);
    if (rows.length > 0) this.#space.notify();
  }

  /** Whether every row in flight waits for something, so that no row is taken before one is released. */
  get isFull(): boolean {
    return this.#queue.size === 0 && this.inFlight.size >= IN_FLIGHT_MAX;
  }

  /** Drops all rows, queued or still waiting. They stay in flight: they must be enqueued in the next run again. */
  close(): void {
    this.#isClosed = true;
    this.#queue.clear();
    this.#space.notify();
  }

  /** Takes rows from the position on while there is room; returns the position of the first not taken. */
  #take(rows: readonly LiveRow[], from: number, isWhole: boolean): number {
    let next = from;
    for (let row = rows[next]; row !== undefined && this.#hasRoom(row); row = rows[++next])
      this.#admit(row, isWhole);
    if (this.#queue.size + this.removals.size > 0) this.#notifier.notify();
    return next;
  }

  /** Rows that are taken in several steps are not whole: their seconds may be closed in between. */
  async #takeInOrder(before: Promise<void> | null, rows: readonly LiveRow[], from: number): Promise<void> {
    await before;
    for (let next = this.#take(rows, from, false); next < rows.length; next = this.#take(rows, next, false))
      await this.#space.nextNotification();
  }

  #hasRoom(row: LiveRow): boolean {
    return this.#isClosed || (isTrade(row) ? this.inFlight.size : this.#queue.size) < IN_FLIGHT_MAX;
  }

  #admit(row: LiveRow, isWhole: boolean): void {
    if (this.#isClosed || (isTrade(row) && !this.#isNew(row.row.trade))) return;
    if (isRemoved(row)) this.removals.add(row);
    else this.#queue.enqueue({ live: row, arrivedAt: this.#clock.now(), isWhole });
  }

  /** A fill that is shown again before its removal was passed on stays. */
  #isNew(trade: Trade): boolean {
    this.removals.take(trade);
    const isFirst = this.#knowledge?.hasSeen(trade) !== true && this.inFlight.add(trade);
    this.#metrics.feedTrades(isFirst ? 'new' : 'known', 1);
    return isFirst;
  }
}

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
