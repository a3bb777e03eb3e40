import { rounded } from '../base/rounded.ts';
import { type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import type { DropReason, Knowledge } from '../trades/source/source.ts';
import type { Market, Row, Trade, WalletFacts } from '../trades/trade.ts';
import type { Candidate } from './candidate.ts';
import { createMemory, type DetectorMemory, type MemoryUse, memoryUse } from './detector-memory.ts';
import { fillHash } from './fill-hash.ts';
import type { FoundExit } from './found-exit.ts';
import { LATE_LIMIT_MS } from './freshness.ts';
import { judgeOrders, removeFill } from './judge-orders.ts';
import type { MarketFacts } from './market-memory.ts';
import { type OrderListener, secondOf } from './order.ts';
import { isIgnoredPrice } from './position.ts';
import { type DetectionRules, leastUsdcToMatter } from './rules.ts';
import { fromChunkText, type StatePart, toChunkText, valuePart } from './state-chunks.ts';
import { hourOf } from './timed-hash-set.ts';
import type { HistoryOf } from './wallet-memory.ts';

/** The result of judging one row. */
export interface Judgement {
  readonly dropped: Extract<DropReason, 'late' | 'repeat' | 'unknown_fill'> | null;
  /** Findings in the orders that this row closed, in order. */
  readonly candidates: readonly Candidate[];
  /** Exits caused by the orders that this row closed, or by the fill that it removed; they follow the candidates. */
  readonly exits: readonly FoundExit[];
  /** The source's time when those orders were closed, before this row advanced it: their own second unless they were late. */
  readonly closedAt: EpochMs;
}

/** In the source's time: each visits all wallets, and a tape may have few trades for hours. */
const SWEEP_EVERY_MS = 4 * HOUR_MS;

const NONE: readonly Candidate[] = [];
/** Shared by all rows without a result, so that most rows allocate none. */
const NOTHING: Judgement = { dropped: null, candidates: NONE, exits: [], closedAt: 0 };

/**
 * Recognises suspicious trades. Deterministic and synchronous: the same rows give the same candidates, also in a detector
 * that was restored from a snapshot. It never reads the wall clock; its time is the largest time of its rows.
 */
export class Detector implements Knowledge {
  readonly #memory: DetectorMemory;
  readonly #leastToMatter: number;
  /** The parts of the state by name, in the order in which they must be written. */
  readonly parts: ReadonlyMap<string, StatePart>;

  /**
   * A growing tape states in its first line whether it is complete, so the source is asked when it matters. The listener is
   * not part of the state.
   */
  constructor(rules: DetectionRules, source: HistoryOf, listener: OrderListener | null = null) {
    this.#memory = createMemory(rules, source, listener);
    this.#leastToMatter = leastUsdcToMatter(rules);
    this.parts = partsOf(this.#memory);
  }

  /** The source's time: the largest row time so far; 0 before the first. */
  get time(): EpochMs {
    return this.#memory.time.now;
  }

  get memory(): MemoryUse {
    return memoryUse(this.#memory);
  }

  /**
   * Takes a row. A trade joins its order. Open orders are judged when a row advances the source's time to a later second, or
   * by a `close` row. A `removed` row undoes its trade, and neither advances the time nor leads to candidates.
   * `ceiling`: upper bound of the time (the wall clock on live sources).
   */
  judge(row: Row, ceiling = Number.POSITIVE_INFINITY): Judgement {
    const memory = this.#memory;
    const closedAt = memory.time.now;
    const next = Math.min(timeOf(row) ?? closedAt, ceiling);
    let candidates = NONE;
    if (row.kind === 'close') candidates = this.#close();
    else if (secondOf(next) > secondOf(closedAt)) candidates = this.#close(secondOf(next));
    let dropped: Judgement['dropped'] = null;
    if (row.kind === 'trade') {
      dropped = take(memory, row.trade, closedAt);
      if (memory.pending.isFull) candidates = [...candidates, ...this.#close()];
    } else if (row.kind === 'removed') dropped = takeBack(memory, row.trade, closedAt);
    else if (row.kind === 'market') learnMarket(memory, row.market);
    else if (row.kind === 'wallet') candidates = [...candidates, ...this.#learnFacts(row.facts)];
    this.#advance(next);
    const exits = memory.book.takeFound();
    const isNothing = dropped === null && candidates.length === 0 && exits.length === 0;
    return isNothing ? NOTHING : { dropped, candidates, exits, closedAt };
  }

  /** What is known of a market. */
  factsOf(marketId: string): MarketFacts {
    return this.#memory.markets.factsOf(marketId);
  }

  mayAlert(fill: Trade): boolean {
    const { rules, wallets, markets } = this.#memory;
    // Rounded as the mean price by which orders are judged.
    if (fill.side !== 'BUY' || isIgnoredPrice(rounded(fill.price, 6), rules)) return false;
    return wallets.mayBeFresh(fill.wallet) && !markets.isIgnored(fill);
  }

  hasSeen(fill: Trade): boolean {
    const from = this.time - LATE_LIMIT_MS;
    return fill.at < from || this.#memory.fills.has(fillHash(fill), hourOf(from));
  }

  needsFacts(fill: Trade, alsoBought: number): boolean {
    const { wallets, pending } = this.#memory;
    const booked = wallets.boughtBeforeFacts(fill.wallet);
    if (booked === null) return false;
    const bought = booked + pending.boughtBy(fill.wallet) + alsoBought + fill.shares * fill.price;
    // In millionths, as the rules sum: 3,571.428571 shares at 7¢ are 250 USDC.
    return rounded(bought, 6) >= this.#leastToMatter && this.mayAlert(fill);
  }

  hasFacts(wallet: string): boolean {
    return this.#memory.wallets.hasFacts(wallet);
  }

  knowsMarket(marketId: string): boolean {
    return this.#memory.markets.isDescribed(marketId);
  }

  /** The whole state. Must be read completely before the next row is judged. */
  *snapshot(): Iterable<string> {
    for (const [part, state] of this.parts)
      for (const text of state.whole()) yield toChunkText({ part, isWhole: true, text });
  }

  /**
   * Takes texts of `toChunkText`: for each part, first those of the whole, then its changes in order. May be called again with
   * the next texts. Only for a detector that has judged no row yet.
   */
  restore(chunks: Iterable<string>): void {
    for (const chunk of chunks) {
      const { part, text } = fromChunkText(chunk);
      this.parts.get(part)?.restore(text);
    }
    for (const state of this.parts.values()) state.markWritten();
  }

  /** `before`: only orders of earlier seconds, since a clock that lags the trades must not split orders of the current second. */
  #close(before = Number.POSITIVE_INFINITY): readonly Candidate[] {
    const { pending } = this.#memory;
    return pending.isEmpty ? NONE : judgeOrders(this.#memory, pending.takeBefore(before), this.time);
  }

  /** Facts count the markets of all trades before them, so those are booked first. */
  #learnFacts(facts: WalletFacts): readonly Candidate[] {
    const { pending, wallets } = this.#memory;
    const candidates = judgeOrders(this.#memory, pending.takeOf(facts.wallet), this.time);
    wallets.learn(facts, this.time);
    return candidates;
  }

  #advance(next: EpochMs): void {
    const { time, wallets, clusters } = this.#memory;
    if (next <= time.now) return;
    time.knownSince ??= next;
    const isDue = Math.floor(next / SWEEP_EVERY_MS) !== Math.floor(time.now / SWEEP_EVERY_MS);
    time.now = next;
    if (!isDue) return;
    wallets.sweep(next);
    clusters.sweep(next);
  }
}

/** The time to which the row advances the source; a removed fill is in the past. */
function timeOf(row: Row): EpochMs | null {
  return row.kind === 'close' || row.kind === 'removed' ? null : row.at;
}

function take({ fills, pending }: DetectorMemory, fill: Trade, now: EpochMs): Judgement['dropped'] {
  const from = now - LATE_LIMIT_MS;
  if (fill.at < from) return 'late';
  if (fills.add(fillHash(fill), hourOf(fill.at), hourOf(from))) return 'repeat';
  pending.add(fill);
  return null;
}

function takeBack(memory: DetectorMemory, fill: Trade, now: EpochMs): Judgement['dropped'] {
  if (!memory.fills.forget(fillHash(fill), hourOf(now - LATE_LIMIT_MS))) return 'unknown_fill';
  if (memory.pending.remove(fill)) return null;
  removeFill(memory, fill);
  memory.book.remove(fill);
  return null;
}

function learnMarket({ markets, book }: DetectorMemory, market: Market): void {
  markets.learn(market);
  book.learn(market);
}

function partsOf(memory: DetectorMemory): ReadonlyMap<string, StatePart> {
  const { wallets, markets, clusters, fills, pending, book, time } = memory;
  return new Map<string, StatePart>([
    ['wallets', wallets.state],
    ['retired', wallets.retired],
    ['markets', markets.state],
    ['clusters', clusters.state],
    ['fills', fills],
    ['pending', pending],
    ['followed', book.state],
    [
      'time',
      valuePart(
        () => time,
        (restored) => Object.assign(time, restored),
      ),
    ],
  ]);
}
