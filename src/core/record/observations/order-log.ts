import { valuePart } from '../../detection/state-chunks.ts';
import { OrderSegment } from './order-segment.ts';

/** Upper bounds of the memory. */
export interface OrderLogLimits {
  readonly segmentRows: number;
  /** About 33 bytes each. */
  readonly rows: number;
}

/** 27 hours at 3 million orders a day, with 3 % to spare. */
const DEFAULT_LIMITS: OrderLogLimits = { segmentRows: 65_536, rows: 3_500_000 };

/** Orders in arrival order, in segments that are dropped as a whole: `onLeaving` before, `onLeft` after. */
export class OrderLog {
  readonly #limits: OrderLogLimits;
  readonly #onLeaving: () => void;
  readonly #onLeft: (segment: OrderSegment) => void;
  readonly #segments = new Map<number, OrderSegment>();
  #last: OrderSegment | null = null;
  #next = 0;
  #forgotten = 0;

  constructor(onLeaving: () => void, onLeft: (segment: OrderSegment) => void, limits = DEFAULT_LIMITS) {
    this.#onLeaving = onLeaving;
    this.#onLeft = onLeft;
    this.#limits = limits;
  }

  /** Rows that left before their time, to make room. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get rows(): number {
    let rows = 0;
    for (const { count } of this.#segments.values()) rows += count;
    return rows;
  }

  /** The segment for the next row, after the others. */
  writable(): OrderSegment {
    return this.#last === null || this.#last.isFull ? this.#begin() : this.#last;
  }

  segmentOf(row: number): OrderSegment | undefined {
    return this.#segments.get(Math.floor(row / this.#limits.segmentRows));
  }

  offsetOf(row: number): number {
    return row % this.#limits.segmentRows;
  }

  /** Forgets the oldest segments as long as all their rows are of earlier seconds. */
  forgetBefore(second: number): void {
    for (const segment of this.#segments.values()) {
      if (segment.latest >= second) return;
      this.#forget(segment);
    }
  }

  /** The log's own state, which is written before its segments. */
  readonly head = valuePart(
    () => ({ next: this.#next, forgotten: this.#forgotten }),
    ({ next, forgotten }) => {
      this.#next = next;
      this.#forgotten = forgotten;
    },
  );

  segments(): Iterable<OrderSegment> {
    return this.#segments.values();
  }

  /** The segment with the number, which a snapshot has; those before it are there already. */
  restored(number: number): OrderSegment {
    const known = this.#segments.get(number);
    if (known !== undefined) return known;
    this.#last = new OrderSegment(number, this.#limits.segmentRows);
    this.#segments.set(number, this.#last);
    return this.#last;
  }

  #begin(): OrderSegment {
    const { rows, segmentRows } = this.#limits;
    for (const segment of this.#segments.values()) {
      if ((this.#segments.size + 1) * segmentRows <= rows) break;
      this.#forgotten += segment.count;
      this.#forget(segment);
    }
    const segment = this.restored(this.#next);
    this.#next += 1;
    return segment;
  }

  #forget(segment: OrderSegment): void {
    this.#onLeaving();
    this.#segments.delete(segment.number);
    if (segment === this.#last) this.#last = null;
    this.#onLeft(segment);
  }
}
