import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { fromText, toText } from '../../detection/hash-log.ts';
import type { Order } from '../../detection/order.ts';
import type { StatePart } from '../../detection/state-chunks.ts';
import type { TradeRole } from '../../trades/trade.ts';

/** Flag: the order was in the market's other outcome, not in the one that was seen first. */
export const OTHER = 1;
/** Flag of a sale. */
export const SELL = 2;
/** Flag of a known role; neither flag is set where it is unknown. */
export const TAKER = 4;
/** Flag of a known role. */
export const MAKER = 8;
/** Fields that are equal in all fills of one order. */
export const KIND = OTHER | SELL;
/** The flags of roles. */
export const ROLE = TAKER | MAKER;

/** Rows in one text of a snapshot, about 180 KB. */
const ROWS_PER_TEXT = 4_096;
/** USDC and shares take two words each. */
const WORDS_PER_ROW = 8;
/** With more altered rows than these, the whole segment is written. */
const MOST_ALTERED = 4_096;

type Amount = Pick<Order, 'usdc' | 'shares'>;

/** `[offset, usdc, shares, flags]` of a row that was changed after it was written. */
type AlteredRow = readonly [offset: number, usdc: number, shares: number, flags: number];

/** Consecutive orders in order of arrival, stored in columns; 33 bytes per row. A part of the state of its own. */
export class OrderSegment implements StatePart {
  /** Numbers of segments are never reused; the first row of one is `number * capacity`. */
  readonly number: number;
  readonly capacity: number;
  /** Since the epoch. */
  readonly seconds: Uint32Array;
  readonly markets: Uint32Array;
  /**
   * Distance in rows to the previous one of the same market and hour; 0 for the first. Not stored: recomputed when it is read.
   */
  readonly back: Uint32Array;
  /** A hash: only fills of the same wallet belong to the same order. */
  readonly wallets: Uint32Array;
  readonly usdc: Float64Array;
  readonly shares: Float64Array;
  readonly flags: Uint8Array;
  count = 0;
  /** The latest of its seconds. */
  latest = 0;
  #written = 0;
  #altered = new Set<number>();

  constructor(number: number, capacity: number) {
    this.number = number;
    this.capacity = capacity;
    this.seconds = new Uint32Array(capacity);
    this.markets = new Uint32Array(capacity);
    this.back = new Uint32Array(capacity);
    this.wallets = new Uint32Array(capacity);
    this.usdc = new Float64Array(capacity);
    this.shares = new Float64Array(capacity);
    this.flags = new Uint8Array(capacity);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  amount(offset: number): Amount {
    return { usdc: this.usdc[offset] as number, shares: this.shares[offset] as number };
  }

  /** Its flags may have changed as well. */
  change(offset: number, { usdc, shares }: Amount): void {
    this.usdc[offset] = usdc;
    this.shares[offset] = shares;
    if (offset < this.#written) this.#altered.add(offset);
  }

  whole(): Iterable<string> {
    return this.#rowTexts(0);
  }

  changes(): Iterable<string> | null {
    return this.#altered.size > MOST_ALTERED ? null : this.#changes();
  }

  *#changes(): Iterable<string> {
    yield* this.#rowTexts(this.#written);
    if (this.#altered.size > 0)
      yield JSON.stringify({ altered: [...this.#altered].map((at) => this.#plain(at)) });
  }

  markWritten(): void {
    this.#written = this.count;
    if (this.#altered.size > 0) this.#altered = new Set();
  }

  restore(text: string): void {
    const read = JSON.parse(text) as string | { readonly altered: readonly AlteredRow[] };
    if (typeof read === 'string') this.#append(fromText(read));
    else for (const row of read.altered) this.#replace(row);
  }

  *#rowTexts(from: number): Iterable<string> {
    for (let first = from; first < this.count; first += ROWS_PER_TEXT)
      yield JSON.stringify(toText(this.#words(first, Math.min(first + ROWS_PER_TEXT, this.count))));
  }

  /** The columns of the rows from `first` to before `end`, one after the other. */
  #words(first: number, end: number): Uint32Array {
    const rows = end - first;
    const words = new Uint32Array(rows * WORDS_PER_ROW);
    const { amounts, columns } = layoutOf(words);
    amounts.set(this.usdc.subarray(first, end));
    amounts.set(this.shares.subarray(first, end), rows);
    columns.set(this.seconds.subarray(first, end));
    columns.set(this.markets.subarray(first, end), rows);
    columns.set(this.wallets.subarray(first, end), 2 * rows);
    columns.set(this.flags.subarray(first, end), 3 * rows);
    return words;
  }

  #append(words: Uint32Array): void {
    const rows = words.length / WORDS_PER_ROW;
    const { amounts, columns } = layoutOf(words);
    const column = (number: number) => columns.subarray(number * rows, (number + 1) * rows);
    this.usdc.set(amounts.subarray(0, rows), this.count);
    this.shares.set(amounts.subarray(rows), this.count);
    this.seconds.set(column(0), this.count);
    this.markets.set(column(1), this.count);
    this.wallets.set(column(2), this.count);
    this.flags.set(column(3), this.count);
    for (const second of column(0)) if (second > this.latest) this.latest = second;
    this.count += rows;
  }

  #plain(offset: number): AlteredRow {
    const { usdc, shares } = this.amount(offset);
    return [offset, usdc, shares, this.flags[offset] as number];
  }

  #replace([offset, usdc, shares, flags]: AlteredRow): void {
    this.usdc[offset] = usdc;
    this.shares[offset] = shares;
    this.flags[offset] = flags;
  }
}

/** The amounts come first, because floats must be aligned. */
function layoutOf(words: Uint32Array): { amounts: Float64Array; columns: Uint32Array } {
  const rows = words.length / WORDS_PER_ROW;
  return {
    amounts: new Float64Array(words.buffer, 0, 2 * rows),
    columns: new Uint32Array(words.buffer, 4 * rows * 4, 4 * rows),
  };
}

/** Characters at the end of an address that its hash is made of. */
const HASHED = 12;

/** A remembered order. */
export interface OrderRow {
  readonly at: EpochMs;
  /** In the market's other outcome. */
  readonly isOther: boolean;
  /** The maker in all of its fills. */
  readonly isMaker: boolean;
  /** In millionths; 0 shares when all of it was removed. */
  readonly usdc: number;
  readonly shares: number;
}

/** A row of a segment, for reading many of its columns. */
export function orderRow(segment: OrderSegment, offset: number): OrderRow {
  const flags = segment.flags[offset] as number;
  return {
    at: (segment.seconds[offset] as number) * SECOND_MS,
    isOther: (flags & OTHER) !== 0,
    isMaker: (flags & MAKER) !== 0,
    usdc: segment.usdc[offset] as number,
    shares: segment.shares[offset] as number,
  };
}

/** The flag of a role; 0 when it is unknown. */
export function roleFlag(role: TradeRole | null): number {
  if (role === null) return 0;
  return role === 'taker' ? TAKER : MAKER;
}

/** 32 bits of an address; two wallets in the same market and second hardly ever share them. */
export function walletHash(wallet: string): number {
  let hash = 0x811c9dc5;
  for (let i = Math.max(0, wallet.length - HASHED); i < wallet.length; i++)
    hash = Math.imul(hash ^ wallet.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
