import type { Candidate } from '../alerts/alert.ts';
import { HOUR_MS } from '../duration.ts';
import { rounded } from '../rounded.ts';
import type { DropReason, Knowledge } from '../source/source.ts';
import type { EpochMs, Row, Trade, WalletFacts } from '../trade.ts';
import { createClusterMemory } from './cluster-memory.ts';
import { fillHash } from './fill-hash.ts';
import { LATE_LIMIT_MS } from './freshness.ts';
import { type JudgeMemory, judgeOrders } from './judge-orders.ts';
import { createMarketMemory, type MarketFacts } from './market-memory.ts';
import { type MemoryUse, memoryUse } from './memory-use.ts';
import { secondOf } from './order.ts';
import type { OrderListener } from './order-listener.ts';
import { PendingFills } from './pending-fills.ts';
import { isIgnoredPrice } from './position.ts';
import { removeFill } from './remove-fill.ts';
import { type DetectionRules, leastUsdcToMatter } from './rules.ts';
import { fromChunkText, type StatePart, toChunkText } from './state-chunks.ts';
import { createTimedHashSet, hourOf, type TimedHashSet } from './timed-hash-set.ts';
import { type HistoryOf, WalletMemory } from './wallet-memory.ts';

/** What came of one row. */
export interface Judgement {
  readonly dropped: Extract<DropReason, 'late' | 'repeat' | 'unknown_fill'> | null;
  /** Findings in the orders that this row closed, in the order in which they were made. */
  readonly candidates: readonly Candidate[];
  /** The source's time when those orders were closed, before this row moved it: their own second unless they were late. */
  readonly closedAt: EpochMs;
}

const NONE: readonly Candidate[] = [];
/** The judgement of a row that is neither dropped nor closes a suspicious order; shared, so that most rows allocate none. */
const NOTHING: Judgement = { dropped: null, candidates: NONE, closedAt: 0 };

/**
 * Recognises suspicious trades. Deterministic and synchronous: the same rows give the same candidates, and so does
 * a detector restored from a snapshot. It never reads the wall clock; time is the largest the rows have named.
 */
export interface Detector extends Knowledge {
  /**
   * Takes a row. A trade joins its order; the orders that are open are judged when a row raises the source's time to a later
   * second, or with a `close` row. A `removed` row gives back what its trade added, and raises neither time nor candidates.
   * `ceiling`: time never runs ahead of it (the wall clock on live sources).
   */
  judge(row: Row, ceiling?: EpochMs): Judgement;
  /** The source's time: the largest row time so far; 0 before the first. */
  readonly time: EpochMs;
  readonly memory: MemoryUse;
  /** What is known of a market beside what the rules ask. */
  factsOf(marketId: string): MarketFacts;
  /** The parts of the state by name, in the order in which they are to be written. */
  readonly parts: ReadonlyMap<string, StatePart>;
  /** The whole state. Must be read to its end before the next row is judged. */
  snapshot(): Iterable<string>;
  /**
   * Takes texts of `toChunkText`; of each part those of its whole first, then its changes in order. May be called again with
   * the next texts. Only for a detector that has judged nothing yet.
   */
  restore(chunks: Iterable<string>): void;
}

/**
 * A growing tape states whether it is complete in its first line, so the source is asked when it matters. `listener` is no
 * part of the state.
 */
export function createDetector(
  rules: DetectionRules,
  source: HistoryOf,
  listener: OrderListener | null = null,
): Detector {
  const memory = createMemory(rules, source, listener);
  let time: EpochMs = 0;
  const parts = partsOf(memory, {
    whole: () => [JSON.stringify(time)],
    changes: () => null,
    markWritten: () => {},
    restore(text) {
      time = JSON.parse(text) as EpochMs;
    },
  });

  /** `before`: only orders of earlier seconds, since a clock behind the trades must not cut those of their second. */
  function close(before = Number.POSITIVE_INFINITY): readonly Candidate[] {
    return memory.pending.isEmpty ? NONE : judgeOrders(memory, memory.pending.takeBefore(before), time);
  }

  /** Facts count the markets of all that was reported before them, so that is booked first. */
  function learnFacts(facts: WalletFacts): readonly Candidate[] {
    const candidates = judgeOrders(memory, memory.pending.takeOf(facts.wallet), time);
    memory.wallets.learn(facts, time);
    return candidates;
  }

  function advance(next: EpochMs): void {
    if (next <= time) return;
    const isNewHour = Math.floor(next / HOUR_MS) !== Math.floor(time / HOUR_MS);
    time = next;
    if (!isNewHour) return;
    memory.wallets.sweep(time);
    memory.clusters.sweep(time);
  }

  return {
    judge(row, ceiling = Number.POSITIVE_INFINITY) {
      const next = Math.min(timeOf(row) ?? time, ceiling);
      const closedAt = time;
      let candidates = NONE;
      if (row.kind === 'close') candidates = close();
      else if (secondOf(next) > secondOf(time)) candidates = close(secondOf(next));
      let dropped: Judgement['dropped'] = null;
      if (row.kind === 'trade') {
        dropped = take(memory, row.trade, time);
        if (memory.pending.isFull) candidates = [...candidates, ...close()];
      } else if (row.kind === 'removed') dropped = takeBack(memory, row.trade, time);
      else if (row.kind === 'market') memory.markets.learn(row.market);
      else if (row.kind === 'wallet') candidates = [...candidates, ...learnFacts(row.facts)];
      advance(next);
      return dropped === null && candidates.length === 0 ? NOTHING : { dropped, candidates, closedAt };
    },
    get time() {
      return time;
    },
    factsOf: memory.markets.factsOf,
    ...knowledgeOf(memory, () => time),
    get memory() {
      return memoryUse(memory);
    },
    ...stateOf(parts),
  };
}

function stateOf(parts: ReadonlyMap<string, StatePart>): Pick<Detector, 'parts' | 'snapshot' | 'restore'> {
  return {
    parts,
    *snapshot() {
      for (const [part, state] of parts)
        for (const text of state.whole()) yield toChunkText({ part, isWhole: true, text });
    },
    restore(chunks) {
      for (const chunk of chunks) {
        const { part, text } = fromChunkText(chunk);
        parts.get(part)?.restore(text);
      }
      for (const state of parts.values()) state.markWritten();
    },
  };
}

/** What the row names of the source's time; a removed fill is of the past. */
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
  memory.listener?.removed(fill);
  return null;
}

/** `now`: the source's time. */
function knowledgeOf(memory: DetectorMemory, now: () => EpochMs): Omit<Knowledge, 'time'> {
  const { rules, wallets, markets, fills, pending } = memory;
  const leastToMatter = leastUsdcToMatter(rules);

  function mayAlert(fill: Trade): boolean {
    // Rounded as the mean price by which orders are judged.
    if (fill.side !== 'BUY' || isIgnoredPrice(rounded(fill.price, 6), rules)) return false;
    return wallets.mayBeFresh(fill.wallet) && !markets.isIgnored(fill);
  }

  return {
    mayAlert,
    hasSeen(fill) {
      const from = now() - LATE_LIMIT_MS;
      return fill.at < from || fills.has(fillHash(fill), hourOf(from));
    },
    needsFacts(fill, alsoBought) {
      const booked = wallets.boughtBeforeFacts(fill.wallet);
      if (booked === null) return false;
      const bought = booked + pending.boughtBy(fill.wallet) + alsoBought + fill.shares * fill.price;
      // In millionths, as the rules sum: 3,571.428571 shares at 7¢ are 250 USDC.
      return rounded(bought, 6) >= leastToMatter && mayAlert(fill);
    },
    hasFacts: (wallet) => wallets.hasFacts(wallet),
    knowsMarket: markets.isDescribed,
  };
}

interface DetectorMemory extends JudgeMemory {
  /** Fills of the last 24 hours, by which a repeat is recognised. */
  readonly fills: TimedHashSet;
  readonly pending: PendingFills;
}

function createMemory(
  rules: DetectionRules,
  source: HistoryOf,
  listener: OrderListener | null,
): DetectorMemory {
  return {
    rules,
    source,
    listener,
    wallets: new WalletMemory(rules, source),
    markets: createMarketMemory(rules),
    clusters: createClusterMemory(rules),
    fills: createTimedHashSet(rules.memory.fills),
    pending: new PendingFills(),
  };
}

function partsOf(memory: DetectorMemory, time: StatePart): ReadonlyMap<string, StatePart> {
  const { wallets, markets, clusters, fills, pending } = memory;
  return new Map<string, StatePart>([
    ['wallets', wallets.state],
    ['retired', wallets.retired],
    ['markets', markets.state],
    ['clusters', clusters.state],
    ['fills', fills],
    ['pending', pending],
    ['time', time],
  ]);
}
