import { HOUR_MS } from '../duration.ts';
import type { Knowledge } from '../ports/source.ts';
import type { EpochMs, Row, Trade } from '../trade.ts';
import { createClusterMemory } from './cluster-memory.ts';
import { fillHash } from './fill-hash.ts';
import { type DetectorMemory, isIgnoredPrice, type Judgement, judgeTrade, NOTHING } from './judge-trade.ts';
import { createMarketMemory } from './market-memory.ts';
import type { DetectionRules } from './rules.ts';
import type { Snapshotted } from './state-chunks.ts';
import { createTimedHashSet, hourOf } from './timed-hash-set.ts';
import { createWalletMemory, type HistoryOf, LATE_LIMIT_MS } from './wallet-memory.ts';

/** How many entries each part of the memory holds; `DetectionRules.memory` bounds them. */
export interface MemoryUse {
  readonly wallets: number;
  readonly markets: number;
  readonly clusters: number;
  readonly fills: number;
}

/**
 * Recognises suspicious trades. Deterministic and synchronous: the same rows give the same candidates, and so does
 * a detector restored from a snapshot. It never reads the wall clock; time is the largest the rows have named.
 */
export interface Detector extends Knowledge {
  /** `ceiling`: time never runs ahead of it (the wall clock on live sources). */
  judge(row: Row, ceiling?: EpochMs): Judgement;
  /** The source's time: the largest row time so far; 0 before the first. */
  readonly time: EpochMs;
  readonly memory: MemoryUse;
  /** The whole state as JSON texts. Must be read to its end before the next row is judged. */
  snapshot(): Iterable<string>;
  /** Only for a detector that has judged nothing yet. */
  restore(chunks: readonly string[]): void;
}

/** A growing tape tells whether it is complete with its first line, so the source is asked when it matters. */
export function createDetector(rules: DetectionRules, source: HistoryOf): Detector {
  const memory = createMemory(rules, source);
  const leastToMatter = leastUsdcToMatter(rules);
  let time: EpochMs = 0;

  function mayAlert(fill: Trade): boolean {
    if (fill.side !== 'BUY' || isIgnoredPrice(fill.price, rules)) return false;
    return memory.wallets.mayBeFresh(fill.wallet) && !memory.markets.isIgnored(fill);
  }

  function advance(to: EpochMs, ceiling: EpochMs): void {
    const next = Math.min(to, ceiling);
    if (next <= time) return;
    const isNewHour = Math.floor(next / HOUR_MS) !== Math.floor(time / HOUR_MS);
    time = next;
    if (!isNewHour) return;
    memory.wallets.sweep(time);
    memory.clusters.sweep(time);
  }

  return {
    judge(row, ceiling = Number.POSITIVE_INFINITY) {
      const judgement = row.kind === 'trade' ? judgeTrade(memory, row.trade, time) : NOTHING;
      if (row.kind === 'market') memory.markets.learn(row.market);
      if (row.kind === 'wallet') memory.wallets.learn(row.facts, time);
      if (row.at !== null) advance(row.at, ceiling);
      return judgement;
    },
    get time() {
      return time;
    },
    hasSeen(fill) {
      const from = time - LATE_LIMIT_MS;
      return fill.at < from || memory.fills.has(fillHash(fill), hourOf(from));
    },
    mayAlert,
    needsFacts(fill, alsoBought) {
      const bought = memory.wallets.boughtBeforeFacts(fill.wallet);
      if (bought === null || bought + alsoBought + fill.shares * fill.price < leastToMatter) return false;
      return mayAlert(fill);
    },
    hasFacts: memory.wallets.hasFacts,
    knowsMarket: memory.markets.isDescribed,
    get memory() {
      const { wallets, markets, clusters, fills } = memory;
      return { wallets: wallets.size, markets: markets.size, clusters: clusters.size, fills: fills.size };
    },
    *snapshot() {
      yield JSON.stringify({ part: 'time', time });
      for (const [part, state] of partsOf(memory)) {
        for (const text of state.chunks()) yield JSON.stringify({ part, text });
      }
    },
    restore(chunks) {
      const read = chunks.map((chunk) => JSON.parse(chunk) as { part: string; text: string; time?: EpochMs });
      time = read.find(({ part }) => part === 'time')?.time ?? 0;
      for (const [name, state] of partsOf(memory)) {
        state.restore(read.filter(({ part }) => part === name).map(({ text }) => text));
      }
    },
  };
}

function createMemory(rules: DetectionRules, source: HistoryOf): DetectorMemory {
  return {
    rules,
    source,
    wallets: createWalletMemory(rules, source),
    markets: createMarketMemory(rules),
    clusters: createClusterMemory(rules),
    fills: createTimedHashSet(rules.memory.fills),
  };
}

function partsOf({
  wallets,
  markets,
  clusters,
  fills,
}: DetectorMemory): readonly (readonly [string, Snapshotted])[] {
  return [
    ['wallets', wallets],
    ['retired', wallets.retired],
    ['markets', markets],
    ['clusters', clusters],
    ['fills', fills],
  ];
}

/** What a wallet has to have bought in all before any rule can name it. */
function leastUsdcToMatter({ significantUsdc, accumulator, cluster }: DetectionRules): number {
  return Math.min(significantUsdc, accumulator.minTotalUsdc, cluster.minWalletUsdc);
}
