import Queue from 'yocto-queue';
import type { Clock } from '../../clock.ts';
import { secondOf } from '../../detection/order.ts';
import { SECOND_MS } from '../../duration.ts';
import type { EpochMs } from '../../trade.ts';
import type { LiveTrade } from './batch.ts';
import { type LiveOrder, liveOrdersOf } from './live-order.ts';

/**
 * How long a second stays open after its last fill. One source leads, and shows the fills of a second together: the list
 * in one state, the stream within 0.6 s (measured 2026-09).
 */
const OPEN_MS = 1.5 * SECOND_MS;
/** A tenth of the rows that may be under way: so many are closed early when no more can be taken. */
const CLOSED_EARLY = 5_000;

interface OpenSecond {
  readonly fills: LiveTrade[];
  lastFillAt: EpochMs;
}

/**
 * Collects fills until their second is closed, 1.5 s after its last fill or once their source has shown it whole, and gives the orders they make up: sorted by
 * wallet, asset and side within a second, and by second among those closed together. A later second may be closed before:
 * an older one that is still being listed is not cut for it. A fill whose second was closed opens it anew.
 */
export class OrderAssembler {
  /** By second; the one whose last fill is the oldest comes first. */
  readonly #open = new Map<number, OpenSecond>();
  readonly #whole = new Set<number>();
  readonly #closed = new Queue<LiveOrder>();
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

  /** `isWhole`: its source has shown all fills of the second, which is closed with the next that are due. */
  add(fill: LiveTrade, arrivedAt: EpochMs, isWhole = false): void {
    const second = secondOf(fill.row.at);
    if (isWhole) this.#whole.add(second);
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
    const due = new Set(this.#whole);
    for (const [second, { lastFillAt }] of this.#open) {
      const ageMs = now - lastFillAt;
      // A clock that was set back keeps no second open.
      if (ageMs >= 0 && ageMs < OPEN_MS) break;
      due.add(second);
    }
    this.#close([...due]);
    this.#setTimer(now);
  }

  /** Closes the seconds that are due next, up to a tenth of what may be under way; false when none is open. */
  closeEarly(): boolean {
    const next: number[] = [];
    let rows = 0;
    for (const [second, { fills }] of this.#open) {
      next.push(second);
      rows += fills.length;
      if (rows >= CLOSED_EARLY) break;
    }
    this.#close(next);
    return next.length > 0;
  }

  /** The next whole order, left in. */
  get next(): LiveOrder | undefined {
    return this.#closed.peek();
  }

  /** The next whole order, taken out. */
  shift(): LiveOrder | undefined {
    return this.#closed.dequeue();
  }

  #close(seconds: number[]): void {
    for (const second of seconds.sort((a, b) => a - b)) {
      for (const order of liveOrdersOf(this.#open.get(second)?.fills ?? [])) this.#closed.enqueue(order);
      this.#open.delete(second);
      this.#whole.delete(second);
    }
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
