import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../core/clock.ts';
import { fillKey } from '../../../core/detection/fill-hash.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs, Trade, TradeSource } from '../../../core/trade.ts';
import { datedRow } from '../trades/trade-line.ts';
import { LIST_LAG_MS } from '../trades/trade-listing.ts';

/**
 * A trade that the leader has not shown by this age is handed on from another source: a second after the market's list
 * has it. The stream and a node show it after 2 to 3 s (measured 2026-09).
 */
export const HELD_MS = LIST_LAG_MS + SECOND_MS;
/** Minutes of the market at its busiest, some 50 MB. The oldest are dropped first: polling lists them again. */
const HELD_MAX = 20_000;
const RELEASE_EVERY_MS = 500;
/** Ten minutes of the market, some 2 MB. */
const TRANSACTIONS_MAX = 20_000;
/** The stream dates most trades a second before their block (measured 2026-09). What is farther apart is no such difference. */
const DATED_APART_MS = SECOND_MS;

/** A trade that a source other than the leader has shown. */
interface HeldTrade {
  readonly row: LiveRow;
  readonly trade: Trade;
  /** Every source that has shown it. */
  readonly shownBy: Set<TradeSource>;
}

/** Constructor options of `SourceMerger`. */
interface MergerOptions {
  /** Corrected to the market's time. */
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'feedTradesLate'>;
  readonly leader: () => TradeSource;
  /** Called before each release, at least twice a second. */
  readonly onLook: () => void;
  /** True while nothing of the stream may overtake what is read back from long ago. */
  readonly isHolding: () => boolean;
  /** Whether the fill was offered to the intake, or judged. */
  readonly knows: (trade: Trade) => boolean;
  /** Takes rows, oldest first. Resolves when there is room for more. `isWhole`: no other row of their seconds is to come. */
  readonly enqueue: (rows: readonly LiveRow[], options?: { readonly isWhole: boolean }) => Promise<void>;
}

/**
 * Merges the sources of trades into one sequence, in which each fill occurs once. Rows of the leader pass; those of other
 * sources are held until the leader has shown them too, or until they are 12 s old. A source that is lost costs latency,
 * and no trade. A transaction is in one block: its fills have the second of the one that passed first, so that an order
 * which two sources show is one.
 */
export class SourceMerger {
  readonly #options: MergerOptions;
  readonly #held = new Map<string, HeldTrade>();
  /** When the transactions were made whose fills have passed. */
  readonly #seconds = new LRUCache<string, EpochMs>({ max: TRANSACTIONS_MAX });
  /** Taken out of those held, and not taken by the intake yet. */
  #released: readonly LiveRow[] = [];
  #nap = new AbortController();

  constructor(options: MergerOptions) {
    this.#options = options;
  }

  /** Rows of a source, oldest first. Resolves when those that pass are taken. */
  async show(source: TradeSource, rows: readonly LiveRow[], isWhole = false): Promise<void> {
    const passing = rows.filter((row) => this.#passes(source, row)).map((row) => this.#dated(row));
    if (passing.length > 0) await this.#options.enqueue(passing, { isWhole });
  }

  /** The same for a source that cannot wait. */
  push(source: TradeSource, row: LiveRow): void {
    if (row.row.kind !== 'trade') return;
    this.#hold(source, row, row.row.trade);
    if (source === this.#options.leader()) this.#nap.abort();
  }

  /** Releases held trades until the signal aborts. Rejects when `offer` does. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, enqueue, onLook } = this.#options;
    while (!signal.aborted) {
      onLook();
      this.#nap = new AbortController();
      this.#released = this.#takeDue();
      if (this.#released.length > 0) await enqueue(this.#released, { isWhole: false });
      this.#released = [];
      await clock.sleep(RELEASE_EVERY_MS, AbortSignal.any([signal, this.#nap.signal]));
    }
  }

  /** Whether the trade is held and this source has shown it. */
  holds(trade: Trade, source: TradeSource): boolean {
    return this.#held.get(fillKey(trade))?.shownBy.has(source) ?? false;
  }

  /** Time of the oldest trade that was shown and not offered yet; null when there is none. */
  oldestAt(): EpochMs | null {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { trade } of this.#held.values()) oldest = Math.min(oldest, trade.at);
    for (const { row } of this.#released) oldest = Math.min(oldest, row.at ?? oldest);
    return oldest === Number.POSITIVE_INFINITY ? null : oldest;
  }

  /** Trades held now. */
  get held(): number {
    return this.#held.size;
  }

  #passes(source: TradeSource, live: LiveRow): boolean {
    const { row } = live;
    if (row.kind !== 'trade') return true;
    const { leader, knows } = this.#options;
    const isLeader = source === leader();
    // Polling and a node confirm what they have shown: what they read back is never held.
    if (!isLeader && !this.#isOld(row.trade)) {
      this.#hold(source, live, row.trade);
      return false;
    }
    this.#held.delete(fillKey(row.trade));
    if (knows(row.trade)) return false;
    if (!isLeader) this.#options.metrics.feedTradesLate(source, 1);
    return true;
  }

  #hold(source: TradeSource, row: LiveRow, trade: Trade): void {
    const key = fillKey(trade);
    const held = this.#held.get(key);
    if (held !== undefined) {
      held.shownBy.add(source);
      return;
    }
    if (this.#options.knows(trade)) return;
    this.#held.set(key, { row, trade, shownBy: new Set([source]) });
    if (this.#held.size > HELD_MAX) this.#held.delete(this.#held.keys().next().value as string);
  }

  #takeDue(): readonly LiveRow[] {
    const { leader, isHolding, knows, metrics } = this.#options;
    const leading = leader();
    const isHeldBack = isHolding();
    const due: HeldTrade[] = [];
    for (const [key, held] of this.#held) {
      const isLeaders = held.shownBy.has(leading);
      if (!isLeaders && !this.#isOld(held.trade)) continue;
      if (!isLeaders && isHeldBack && isOfStreamAlone(held)) continue;
      this.#held.delete(key);
      if (knows(held.trade)) continue;
      due.push(held);
      const [first] = held.shownBy;
      if (!isLeaders && first !== undefined) metrics.feedTradesLate(first, 1);
    }
    return due.map(({ row }) => this.#dated(row)).sort((a, b) => (a.row.at ?? 0) - (b.row.at ?? 0));
  }

  #dated(live: LiveRow): LiveRow {
    if (live.row.kind !== 'trade') return live;
    const { transaction, at } = live.row.trade;
    const first = this.#seconds.get(transaction);
    if (first === undefined) this.#seconds.set(transaction, at);
    return first === undefined || Math.abs(at - first) > DATED_APART_MS ? live : datedRow(live, first);
  }

  #isOld({ at }: Trade): boolean {
    return this.#options.clock.now() - at >= HELD_MS;
  }
}

function isOfStreamAlone({ shownBy }: HeldTrade): boolean {
  return shownBy.size === 1 && shownBy.has('stream');
}
