import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import type { Trade, WalletFacts } from '../trades/trade.ts';
import { textHash } from './fill-hash.ts';
import {
  bookFacts,
  boughtBy,
  type Freshness,
  freshnessOf,
  isInformed,
  isPastFreshness,
  LATE_LIMIT_MS,
} from './freshness.ts';
import { LruMap } from './lru-map.ts';
import { MICROS } from './order.ts';
import { createPosition, type Position } from './position.ts';
import type { Member } from './position-book.ts';
import { type DetectionRules, leastUsdcToMatter } from './rules.ts';
import { LruPart, type StatePart } from './state-chunks.ts';
import { hourOf, TimedHashSet } from './timed-hash-set.ts';
import {
  forgetTradesOf,
  type Holding,
  Holdings,
  isKnownSince,
  LARGE,
  memberOf,
  newWallet,
  type PlainWallet,
  plainWallet,
  SMALL,
  type Wallet,
} from './wallet.ts';

/** Whether a wallet's first trade here is its first ever (tape header `history: complete`). */
export interface HistoryOf {
  readonly isComplete: boolean;
}

/**
 * Remembers wallets that are or may still be fresh, and for the others, only that they are not. Holds at most
 * `rules.memory.wallets` wallets: a new one evicts the one longest without a trade, first among those without a large position.
 * There may be more than `rules.memory.positions` positions until the next new wallet appears.
 */
export class WalletMemory {
  readonly #rules: DetectionRules;
  readonly #source: HistoryOf;
  readonly #wallets = new LruMap<Wallet>({
    keyOf: ({ address }) => address,
    ranks: 2,
    weightOf: ({ positionCount }) => positionCount,
  });
  readonly #holdings = new Holdings();
  readonly #largeFrom: number;
  /** The wallets that can no longer be fresh, a separate part of the state. */
  readonly retired: TimedHashSet;
  readonly state: StatePart = new LruPart<Wallet, PlainWallet>(this.#wallets, {
    toPlain: plainWallet,
    fromPlain: (plain) => this.#holdings.restored(plain),
  });

  constructor(rules: DetectionRules, source: HistoryOf) {
    this.#rules = rules;
    this.#source = source;
    this.#largeFrom = leastUsdcToMatter(rules) * MICROS;
    this.retired = new TimedHashSet(rules.memory.retiredWallets);
  }

  get size(): number {
    return this.#wallets.size;
  }

  get positions(): number {
    return this.#wallets.weight;
  }

  /** Evicted wallets: those without a large position, and those with one. */
  get evicted(): readonly number[] {
    return this.#wallets.evicted;
  }

  /** The wallet, created on first sight; null when it can never be fresh again. */
  touch(address: string, at: EpochMs, now: EpochMs): Wallet | null {
    const known = this.#wallets.get(address);
    if (known === undefined) return this.#isRetired(address) ? null : this.#add(address, at, now);
    this.#wallets.touch(known);
    if (at < known.firstSeenAt) known.firstSeenAt = at;
    return known;
  }

  /** The wallet, marked as changed but not as recently used; undefined when it is not remembered. */
  alter(address: string): Wallet | undefined {
    return this.#wallets.getAltered(address);
  }

  learn(facts: WalletFacts, now: EpochMs): void {
    if (this.#isRetired(facts.wallet)) return;
    const wallet = this.#wallets.get(facts.wallet) ?? this.#add(facts.wallet, Number.POSITIVE_INFINITY, now);
    this.#wallets.touch(wallet);
    bookFacts(wallet, facts);
  }

  /** False for a wallet that can no longer be fresh. */
  mayBeFresh(address: string): boolean {
    return this.#wallets.has(address) || !this.#isRetired(address);
  }

  /** Whether its age and markets are known, and it may still be fresh. */
  hasFacts(address: string): boolean {
    return isInformed(this.#wallets.get(address));
  }

  /** USDC the wallet bought in all that counts; null when its facts are known, or it can never be fresh again. */
  boughtBeforeFacts(address: string): number | null {
    const wallet = this.#wallets.get(address);
    if (wallet === undefined) return this.#isRetired(address) ? null : 0;
    return isInformed(wallet) ? null : boughtBy(wallet);
  }

  /**
   * Age and markets at the moment; null while either is unknown (unknown is never fresh). In a complete tape that exceeds the
   * memory, a first trade cannot be distinguished from a forgotten one.
   */
  freshness(wallet: Wallet, at: EpochMs): Freshness | null {
    return freshnessOf(wallet, at, this.#source.isComplete && this.retired.forgotten === 0);
  }

  /**
   * What the wallet holds in the market of a fill, for a thread in its outcome; null when the wallet is not remembered, or not all
   * of its trades are known. `since`: since when all trades are known.
   */
  memberOf(
    address: string,
    { marketId, asset }: Pick<Trade, 'marketId' | 'asset'>,
    since: EpochMs | null,
  ): Member | null {
    const wallet = this.#wallets.get(address);
    if (wallet === undefined || !this.#isHistoryKnown(wallet, since)) return null;
    return memberOf(wallet, marketId, asset);
  }

  /** What the wallet did in the market, created on first sight. */
  holdingOf(wallet: Wallet, marketId: string, at: EpochMs): Holding {
    return this.#holdings.holdingOf(wallet, marketId, at);
  }

  /** Its position in an outcome of the market, created on first sight. */
  positionOf(wallet: Wallet, holding: Holding, asset: string): Position {
    const known = holding.positions.get(asset);
    if (known !== undefined) return known;
    const position = createPosition();
    this.#holdings.addPosition(wallet, holding, [asset, position]);
    this.#wallets.grow(wallet, 1);
    return position;
  }

  /** Must be called after a buy: a wallet with a large position is evicted after those without one. */
  noteBought(wallet: Wallet, { buyUsdc }: Position, at: EpochMs): void {
    if (at < wallet.tradesFrom) wallet.tradesFrom = at;
    if (wallet.rank === SMALL && buyUsdc >= this.#largeFrom) this.#wallets.rank(wallet, LARGE);
  }

  /** Forgets the wallet's details when it cannot be fresh for any later trade. */
  retireIfStale(wallet: Wallet, now: EpochMs): void {
    if (isPastFreshness(wallet, now, this.#rules)) this.#retire(wallet, now);
  }

  /**
   * Retires wallets that are too old, and drops trades that no later one can join. Must be called from time to time, by the
   * source's time.
   */
  sweep(now: EpochMs): void {
    // A fill that may be removed is known by its hour, and sources may date it a second apart.
    const ordersFrom = now - LATE_LIMIT_MS - HOUR_MS - SECOND_MS;
    const earlyFrom = ordersFrom - this.#rules.cluster.windowMinutes * MINUTE_MS;
    this.#wallets.forEach((wallet) => {
      if (isPastFreshness(wallet, now, this.#rules)) this.#retire(wallet, now);
      else if (forgetTradesOf(wallet, ordersFrom, earlyFrom)) this.#wallets.alter(wallet);
    });
  }

  #isHistoryKnown(wallet: Wallet, since: EpochMs | null): boolean {
    if (this.#source.isComplete) return this.retired.forgotten === 0;
    return since !== null && isKnownSince(wallet, since);
  }

  #isRetired(address: string): boolean {
    return this.retired.has(textHash(address), 1);
  }

  #retire(wallet: Wallet, now: EpochMs): void {
    this.#wallets.delete(wallet);
    this.retired.add(textHash(wallet.address), hourOf(now), 1);
  }

  #add(address: string, at: EpochMs, now: EpochMs): Wallet {
    this.#makeRoom(now);
    const wallet = newWallet(address, at);
    this.#wallets.add(wallet);
    return wallet;
  }

  /** Where facts can be loaded again, the wallet is forgotten; otherwise it is retired, or it would look new when it returns. */
  #makeRoom(now: EpochMs): void {
    const { wallets, positions } = this.#rules.memory;
    while (this.#wallets.size >= wallets || this.#wallets.weight > positions) {
      const quiet = this.#wallets.evict();
      if (quiet === null) return;
      if (this.#source.isComplete) this.retired.add(textHash(quiet.address), hourOf(now), 1);
    }
  }
}
