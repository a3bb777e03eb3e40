import Queue from 'yocto-queue';
import { runsOf } from '../../base/runs-of.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { compareFills, isOfOneOrder, MICROS, ordersOf, secondOf } from '../../detection/order.ts';
import type { Trade } from '../../trades/trade.ts';
import type { LiveTrade } from './batch.ts';

/**
 * How long a second stays open after its last fill. The leading source shows the fills of a second together: the list of
 * trades in one answer, the stream within 0.6 s (measured 2026-09).
 */
const OPEN_MS = 1.5 * SECOND_MS;
/** Rows that are closed early when no more can be taken: a tenth of those that may be in flight. */
const CLOSED_EARLY = 5_000;

interface OpenSecond {
  readonly fills: LiveTrade[];
  lastFillAt: EpochMs;
}

/**
 * Collects fills until their second is closed: 1.5 s after its last fill, or once its source has shown it completely. Then
 * groups them into orders, sorted by wallet, asset and side within a second, and by second among those closed together. A
 * later second may be closed first, while an older one is still being listed. A fill of a closed second reopens it.
 */
export class OrderAssembler {
  /** By second; the second whose last fill is oldest comes first. */
  readonly #open = new Map<number, OpenSecond>();
  readonly #whole = new Set<number>();
  readonly #closed = new Queue<LiveOrder>();
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #onDue: () => void;
  #hasTimer = false;

  /** `onDue` is called by a timer when a second may be due, until the signal aborts. */
  constructor(clock: Clock, signal: AbortSignal, onDue: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#onDue = onDue;
  }

  /** `isWhole`: the source has shown all fills of the second, which `closeDue` then closes. */
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

  /** Closes the seconds that are due and sets the timer for the next. */
  closeDue(): void {
    const now = this.#clock.now();
    const due = new Set(this.#whole);
    for (const [second, { lastFillAt }] of this.#open) {
      const ageMs = now - lastFillAt;
      // A clock that was set back does not keep a second open.
      if (ageMs >= 0 && ageMs < OPEN_MS) break;
      due.add(second);
    }
    this.#close([...due]);
    this.#setTimer(now);
  }

  /** Closes the seconds that are due next, up to 5,000 rows; false when none is open. */
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

  get next(): LiveOrder | undefined {
    return this.#closed.peek();
  }

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

/** Fills of one wallet, asset and side in one second. */
export interface LiveOrder {
  /** At least one, in the order in which they arrived. */
  readonly fills: readonly LiveTrade[];
  /** The whole order as one trade, by which facts are requested. */
  readonly asTrade: Trade;
}

/** Groups the fills of one second into orders, sorted by wallet, asset and side. */
function liveOrdersOf(arrived: readonly LiveTrade[]): readonly LiveOrder[] {
  const fills = arrived.toSorted((a, b) => compareFills(a.row.trade, b.row.trade));
  return runsOf(fills, (a, b) => isOfOneOrder(a.row.trade, b.row.trade)).map(orderOf);
}

function orderOf(fills: readonly LiveTrade[]): LiveOrder {
  const { trade } = (fills[0] as LiveTrade).row;
  if (fills.length === 1) return { fills, asTrade: trade };
  const [order] = ordersOf(fills.map(({ row }) => row.trade));
  if (order === undefined || order.shares === 0) return { fills, asTrade: trade };
  // Not rounded: whether facts are needed depends on the product of shares and price.
  return {
    fills,
    asTrade: { ...order.fill, shares: order.shares / MICROS, price: order.usdc / order.shares },
  };
}
