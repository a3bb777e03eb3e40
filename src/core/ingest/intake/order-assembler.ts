import type { Clock } from '../../clock.ts';
import { secondOf } from '../../detection/order.ts';
import { SECOND_MS } from '../../duration.ts';
import type { EpochMs } from '../../trade.ts';
import type { LiveTrade } from './batch.ts';
import { createFifo } from './fifo.ts';
import { type Order, ordersOf } from './order.ts';

/** How long a second stays open after its last fill: an order's fills may be listed a poll or two apart. */
const OPEN_MS = 2 * SECOND_MS;
/** A tenth of the rows that may be under way: so many are closed early when no more can be taken. */
const CLOSED_EARLY = 5_000;

interface OpenSecond {
  readonly fills: LiveTrade[];
  lastFillAt: EpochMs;
}

/**
 * Collects fills until their second is closed, 2 s after its last fill at most, and gives the orders they make up: sorted
 * by wallet, asset and side within a second, and by second among those closed together. A second that is due closes all
 * seconds before it too. A fill whose second was closed opens it anew.
 */
export class OrderAssembler {
  /** By second; the one whose last fill is the oldest comes first. */
  readonly #open = new Map<number, OpenSecond>();
  readonly #closed = createFifo<Order>();
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onDue: () => void;
  #hasTimer = false;

  /** `onDue`: a second may be due; called by one timer, which the signal ends. */
  constructor(clock: Clock, signal: AbortSignal, onDue: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#onDue = onDue;
  }

  add(fill: LiveTrade, arrivedAt: EpochMs): void {
    const second = secondOf(fill.row.at);
    const open = this.#open.get(second);
    if (open === undefined) {
      this.#open.set(second, { fills: [fill], lastFillAt: arrivedAt });
      return;
    }
    open.fills.push(fill);
    if (open.lastFillAt === arrivedAt) return;
    open.lastFillAt = arrivedAt;
    this.#open.delete(second);
    this.#open.set(second, open);
  }

  /** Closes the seconds that are due, and sets the timer for the next. */
  closeDue(): void {
    const now = this.#clock.now();
    let lastDue = Number.NEGATIVE_INFINITY;
    for (const [second, { lastFillAt }] of this.#open) {
      const ageMs = now - lastFillAt;
      // A clock that was set back keeps no second open.
      if (ageMs >= 0 && ageMs < OPEN_MS) break;
      lastDue = Math.max(lastDue, second);
    }
    if (lastDue >= 0) for (const second of this.#openSeconds()) if (second <= lastDue) this.#close(second);
    this.#setTimer(now);
  }

  /** Closes the oldest seconds before they are due, up to a tenth of what may be under way; false when none is open. */
  closeOldest(): boolean {
    let fills = 0;
    for (const second of this.#openSeconds()) {
      fills += this.#close(second);
      if (fills >= CLOSED_EARLY) break;
    }
    return fills > 0;
  }

  /** The next whole order, left in. */
  get next(): Order | undefined {
    return this.#closed.first();
  }

  /** The next whole order, taken out. */
  shift(): Order | undefined {
    return this.#closed.shift();
  }

  #openSeconds(): readonly number[] {
    return [...this.#open.keys()].sort((a, b) => a - b);
  }

  /** How many fills it had. */
  #close(second: number): number {
    const fills = this.#open.get(second)?.fills ?? [];
    this.#open.delete(second);
    for (const order of ordersOf(fills)) this.#closed.push(order);
    return fills.length;
  }

  #setTimer(now: EpochMs): void {
    const [first] = this.#open.values();
    if (first === undefined || this.#hasTimer) return;
    this.#hasTimer = true;
    void this.#clock.sleep(first.lastFillAt + OPEN_MS - now, this.#signal).then(() => {
      this.#hasTimer = false;
      this.#onDue();
    });
  }
}
