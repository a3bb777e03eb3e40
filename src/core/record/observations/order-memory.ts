import { type EpochMs, HOUR_MS, SECOND_MS } from '../../base/time/duration.ts';
import { amountWithout, type Order, ordersOf } from '../../detection/order.ts';
import { fromChunkText, type StatePart, valuePart } from '../../detection/state-chunks.ts';
import type { Trade } from '../../trades/trade.ts';
import { OrderLog, type OrderLogLimits } from './order-log.ts';
import {
  KIND,
  type OrderRow,
  type OrderSegment,
  OTHER,
  orderRow,
  ROLE,
  roleFlag,
  SELL,
  walletHash,
} from './order-segment.ts';
import {
  appendToChain,
  chainOf,
  type RememberedMarket,
  RememberedMarkets,
  SECONDS_PER_HOUR,
} from './remembered-markets.ts';

/** An alert looks back at most 25 hours, and may be found in an order that came late. */
const KEEP_MS = 27 * HOUR_MS;
const SEGMENT_PART = /^orders-(\d+)$/;

/** The fields that all fills of an order have in common, within one market. */
interface OrderKey {
  second: number;
  wallet: number;
  kind: number;
}

/** The orders of the last 27 hours, a part of the detector's snapshot; `onLeaving` before rows go. */
export class OrderMemory {
  readonly #log: OrderLog;
  readonly #markets = new RememberedMarkets();
  /** Key of the searched order; one object for all searches, since every order is searched. */
  readonly #key: OrderKey = { second: 0, wallet: 0, kind: 0 };
  #completeFrom: EpochMs = Number.POSITIVE_INFINITY;

  constructor(onLeaving: () => void, limits?: OrderLogLimits) {
    const onLeft = ({ number, capacity, latest }: OrderSegment) => {
      this.#markets.forgetBefore((number + 1) * capacity);
      this.#completeFrom = Math.max(this.#completeFrom, (latest + 1) * SECOND_MS);
    };
    this.#log = new OrderLog(onLeaving, onLeft, limits);
  }

  /** Orders before this moment may be missing; infinite while there were none. */
  get completeFrom(): EpochMs {
    return this.#completeFrom;
  }

  /** Rows held, their markets, and rows that left before their time. */
  get use() {
    const { rows, forgotten } = this.#log;
    return { rows, forgotten, markets: this.#markets.size };
  }

  /** Adds an order; late fills of one that is remembered join it. */
  add(order: Order): void {
    const { fill, at } = order;
    // Before all else: a segment that leaves to make room may take the market's last rows with it.
    this.#log.writable();
    if (this.#completeFrom === Number.POSITIVE_INFINITY) this.#completeFrom = at;
    const market = this.#markets.touch(fill);
    // An order in a third outcome is left out.
    if (!this.#setKey(market, fill, at)) return;
    const known = this.#find(market, 0);
    if (known < 0) this.#append(market, order);
    else join(this.#log.segmentOf(known) as OrderSegment, this.#log.offsetOf(known), order);
  }

  /** Takes a removed fill out of its order. Returns the second of the order; null when it is not remembered. */
  remove(fill: Trade): EpochMs | null {
    const market = this.#markets.get(fill.marketId);
    if (market === undefined) return null;
    const [removed] = ordersOf([fill]) as [Order];
    for (const at of [removed.at, removed.at - SECOND_MS, removed.at + SECOND_MS]) {
      const row = this.#setKey(market, fill, at) ? this.#find(market, removed.shares) : -1;
      if (row < 0) continue;
      const segment = this.#log.segmentOf(row) as OrderSegment;
      const offset = this.#log.offsetOf(row);
      segment.change(offset, amountWithout(segment.amount(offset), removed));
      return at;
    }
    return null;
  }

  market(id: string): Readonly<RememberedMarket> | undefined {
    return this.#markets.get(id);
  }

  /** The starts of the hours of which orders of the market are remembered. */
  hoursOf(marketId: string): readonly EpochMs[] {
    return (this.#markets.get(marketId)?.chains ?? []).map(({ hour }) => hour * HOUR_MS);
  }

  /** The orders of a market in an hour, by second and arrival. */
  ordersOf(marketId: string, hour: EpochMs): readonly OrderRow[] {
    const market = this.#markets.get(marketId);
    const chain = market === undefined ? undefined : chainOf(market, hour / HOUR_MS);
    if (chain === undefined) return [];
    const rows: OrderRow[] = [];
    for (let row = chain.last; row >= 0; ) {
      const segment = this.#log.segmentOf(row);
      if (segment === undefined) break;
      const offset = this.#log.offsetOf(row);
      rows.push(orderRow(segment, offset));
      row = rowBefore(segment, offset, row);
    }
    rows.reverse();
    // The sort is stable: within a second, the order of arrival is kept.
    return chain.lag === 0 ? rows : rows.sort((a, b) => a.at - b.at);
  }

  /** Forgets orders older than 27 hours. `hour`: the start of the source's hour. */
  advance(hour: EpochMs): void {
    this.#log.forgetBefore((hour - KEEP_MS) / SECOND_MS);
  }

  /** The parts of its state by name, in the order in which they must be written. A full segment is written once. */
  get parts(): ReadonlyMap<string, StatePart> {
    const parts = new Map<string, StatePart>([
      ['orders', this.#head],
      ['orderlog', this.#log.head],
      ['ordermarkets', this.#markets],
    ]);
    for (const segment of this.#log.segments()) parts.set(`orders-${segment.number}`, segment);
    return parts;
  }

  /** Like `Detector.restore`; ignores the texts of other parts. */
  restore(chunks: Iterable<string>): void {
    for (const chunk of chunks) {
      const { part, text } = fromChunkText(chunk);
      const number = SEGMENT_PART.exec(part)?.[1];
      if (number === undefined) this.parts.get(part)?.restore(text);
      else this.#restoreSegment(this.#log.restored(Number(number)), text);
    }
    for (const part of this.parts.values()) part.markWritten();
  }

  readonly #head = valuePart(
    () => ({ completeFrom: Number.isFinite(this.#completeFrom) ? this.#completeFrom : null }),
    ({ completeFrom }) => {
      this.#completeFrom = completeFrom ?? Number.POSITIVE_INFINITY;
    },
  );

  #restoreSegment(segment: OrderSegment, text: string): void {
    const known = segment.count;
    segment.restore(text);
    for (let offset = known; offset < segment.count; offset++) {
      const market = this.#markets.numbered(segment.markets[offset] as number);
      if (market === undefined) throw new Error('The snapshot has an order without a market.');
      appendToChain(market, segment, offset);
    }
  }

  /** False for an outcome that is neither of the market's two. */
  #setKey(market: RememberedMarket, { asset, side, wallet }: Trade, at: EpochMs): boolean {
    const isOther = asset !== market.baseAsset;
    if (isOther && asset !== market.otherAsset) return false;
    this.#key.kind = (isOther ? OTHER : 0) | (side === 'SELL' ? SELL : 0);
    this.#key.second = at / SECOND_MS;
    this.#key.wallet = walletHash(wallet);
    return true;
  }

  /** The row with the key and at least this many shares; -1 when there is none. */
  #find(market: RememberedMarket, sharesMin: number): number {
    const { second, wallet, kind } = this.#key;
    const chain = chainOf(market, Math.floor(second / SECONDS_PER_HOUR));
    if (chain === undefined || second > chain.latest) return -1;
    for (let row = chain.last; row >= 0; ) {
      const segment = this.#log.segmentOf(row);
      if (segment === undefined) return -1;
      const offset = this.#log.offsetOf(row);
      const held = segment.seconds[offset] as number;
      // When this row came, none before it was later than that.
      if (held + chain.lag < second) return -1;
      const isSame =
        held === second &&
        segment.wallets[offset] === wallet &&
        ((segment.flags[offset] as number) & KIND) === kind;
      if (isSame && (segment.shares[offset] as number) >= sharesMin) return row;
      row = rowBefore(segment, offset, row);
    }
    return -1;
  }

  #append(market: RememberedMarket, { usdc, shares, role }: Order): void {
    const segment = this.#log.writable();
    const { second, wallet, kind } = this.#key;
    const offset = segment.count;
    segment.seconds[offset] = second;
    segment.markets[offset] = market.number;
    segment.wallets[offset] = wallet;
    segment.flags[offset] = kind | roleFlag(role);
    segment.usdc[offset] = usdc;
    segment.shares[offset] = shares;
    segment.count += 1;
    if (second > segment.latest) segment.latest = second;
    appendToChain(market, segment, offset);
  }
}

/** Adds a late fill to its order; a role that is not the same in all fills is unknown. */
function join(segment: OrderSegment, offset: number, { usdc, shares, role }: Order): void {
  const held = segment.amount(offset);
  const flags = segment.flags[offset] as number;
  const isOfOneRole = held.shares === 0 || (flags & ROLE) === roleFlag(role);
  segment.flags[offset] = (flags & KIND) | (isOfOneRole ? roleFlag(role) : 0);
  segment.change(offset, { usdc: held.usdc + usdc, shares: held.shares + shares });
}

/** The row before of the same market and hour; -1 for the first. */
function rowBefore({ back }: OrderSegment, offset: number, row: number): number {
  const distance = back[offset] as number;
  return distance === 0 ? -1 : row - distance;
}
