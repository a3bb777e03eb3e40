import { LRUCache } from 'lru-cache';
import { Notifier, repeat } from '../../../../core/base/async/repeat.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { Trade, TradeSource } from '../../../../core/trades/trade.ts';
import { datedRow } from '../trades/trade-line.ts';
import { LIST_LAG_MS } from '../trades/trade-pages.ts';
import type { SourceStates } from './leader.ts';

/**
 * A trade that the leader has not shown by this age is taken from another source: a second after the market's list
 * has it. The stream and a node show it after 2 to 3 s (measured 2026-09).
 */
export const HELD_MS = LIST_LAG_MS + SECOND_MS;
/** Minutes of the market at its busiest, about 50 MB. The oldest are dropped first: polling lists them again. */
const HELD_MAX = 20_000;
const RELEASE_EVERY_MS = 500;
/** Ten minutes of the market, about 2 MB. */
const TRANSACTIONS_MAX = 20_000;
/** The stream dates most trades a second before their block (measured 2026-09). A larger difference has another cause. */
const DATED_APART_MS = SECOND_MS;

interface HeldTrade {
  readonly row: LiveRow;
  readonly trade: Trade;
  readonly shownBy: Set<TradeSource>;
}

interface MergerOptions {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'feedTradesLate'>;
  readonly leader: () => TradeSource;
  readonly knows: (trade: Trade) => boolean;
  /** Takes rows, oldest first. Resolves when there is room for more. `isWhole`: no other row of their seconds will come. */
  readonly enqueue: (rows: readonly LiveRow[], options?: { readonly isWhole: boolean }) => Promise<void>;
}

/**
 * Merges the sources of trades into one sequence in which each fill occurs once. Rows of the leader pass; those of other
 * sources are held until the leader has shown them too, or until they are 12 s old. The loss of a source costs latency,
 * but no trade. A transaction is in one block: its fills get the second of the one that passed first, so that an order
 * that two sources show in parts is one order.
 */
export class SourceMerger {
  readonly #options: MergerOptions;
  /** By key, in the order shown: read with `peek`, which moves no entry. */
  readonly #held = new LRUCache<string, HeldTrade>({ max: HELD_MAX });
  readonly #seconds = new LRUCache<string, EpochMs>({ max: TRANSACTIONS_MAX });
  /** No longer held, and not taken by the intake yet. */
  #released: readonly LiveRow[] = [];
  readonly #pushed = new Notifier();

  constructor(options: MergerOptions) {
    this.#options = options;
  }

  /** Takes rows of a source, oldest first. Resolves when those that pass are taken. */
  async show(source: TradeSource, rows: readonly LiveRow[], isWhole = false): Promise<void> {
    const passing = rows.filter((row) => this.#passes(source, row)).map((row) => this.#dated(row));
    if (passing.length > 0) await this.#options.enqueue(passing, { isWhole });
  }

  push(source: TradeSource, row: LiveRow): void {
    if (row.row.kind !== 'trade') return;
    this.#hold(source, row, row.row.trade);
    if (source === this.#options.leader()) this.#pushed.notify();
  }

  /**
   * Releases held trades until the signal aborts. Rejects when `enqueue` does. `update` is called before each release, at
   * least twice a second: it updates the leader, and returns whether polling reads back trades that the stream must not overtake.
   */
  run(signal: AbortSignal, update: () => Pick<SourceStates, 'isPollingBehind'>): Promise<void> {
    const { clock, enqueue } = this.#options;
    const release = async () => {
      this.#released = this.#takeDue(update().isPollingBehind);
      if (this.#released.length > 0) await enqueue(this.#released, { isWhole: false });
      this.#released = [];
    };
    const wake = () => this.#pushed.nextNotification();
    return repeat(release, { clock, signal, intervalMs: RELEASE_EVERY_MS, wake });
  }

  holds(trade: Trade, source: TradeSource): boolean {
    return this.#held.peek(fillKey(trade))?.shownBy.has(source) ?? false;
  }

  /** Time of the oldest trade that was shown and not enqueued yet; null when there is none. */
  oldestAt(): EpochMs | null {
    let oldest = Number.POSITIVE_INFINITY;
    this.#held.forEach(({ trade }) => {
      oldest = Math.min(oldest, trade.at);
    });
    for (const { row } of this.#released) oldest = Math.min(oldest, row.at ?? oldest);
    return oldest === Number.POSITIVE_INFINITY ? null : oldest;
  }

  get held(): number {
    return this.#held.size;
  }

  #passes(source: TradeSource, live: LiveRow): boolean {
    const { row } = live;
    if (row.kind !== 'trade') return true;
    const { leader, knows } = this.#options;
    const isLeader = source === leader();
    // Polling and a node confirm what they have shown, so the trades that they read back are never held.
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
    const held = this.#held.peek(key);
    if (held !== undefined) held.shownBy.add(source);
    else if (!this.#options.knows(trade)) this.#held.set(key, { row, trade, shownBy: new Set([source]) });
  }

  #takeDue(isStreamHeld: boolean): readonly LiveRow[] {
    const { knows, metrics } = this.#options;
    const leader = this.#options.leader();
    const released: HeldTrade[] = [];
    this.#held.rforEach((held) => {
      const isDue = this.#isOld(held.trade) && !(isStreamHeld && isOfStreamAlone(held));
      if (isDue || held.shownBy.has(leader)) released.push(held);
    });
    for (const { trade } of released) this.#held.delete(fillKey(trade));
    const due = released.filter(({ trade }) => !knows(trade));
    for (const { shownBy } of due) {
      const [first] = shownBy;
      if (!shownBy.has(leader) && first !== undefined) metrics.feedTradesLate(first, 1);
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
