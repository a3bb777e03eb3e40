import type { EpochMs } from '../base/time/duration.ts';
import { type LruLinks, unlinked } from './lru-map.ts';
import { partOf } from './order.ts';
import { forgetTrades, type Position } from './position.ts';
import type { Member } from './position-book.ts';
import { SmallMap, TextPool } from './small-map.ts';

/** What a wallet did in one market. */
export interface Holding {
  /** First known trade here. */
  firstAt: EpochMs;
  /** Met before the wallet's facts came, so the facts count it already. */
  isInFacts: boolean;
  /** By token id; none in a market that the rules ignore. */
  positions: SmallMap<Position>;
}

/** The rank of wallets without a position that could matter, which are forgotten first. */
export const SMALL = 0;
/** The rank of wallets that have, or had, one. */
export const LARGE = 1;

/** Memory of a wallet that may still be fresh. Plain data except for the maps and links. */
export interface Wallet extends LruLinks<Wallet> {
  readonly address: string;
  createdAt: EpochMs | null;
  marketsInFacts: number | null;
  firstSeenAt: EpochMs;
  /** By market id. */
  readonly holdings: SmallMap<Holding>;
  /** How many positions it holds. */
  positionCount: number;
  /** Time of the earliest buy that is kept individually; infinity when there is none. */
  tradesFrom: EpochMs;
}

/** Ids of the markets and tokens that wallets hold; most trades involve few of them. */
const IDS = 50_000;
/** Shared by all holdings without a position. */
const NO_POSITIONS = new SmallMap<Position>();

/** A wallet that holds nothing yet. `at`: infinity for one that was not seen trading yet. */
export function newWallet(address: string, at: EpochMs): Wallet {
  return {
    address,
    createdAt: null,
    marketsInFacts: null,
    firstSeenAt: at,
    holdings: new SmallMap(),
    positionCount: 0,
    tradesFrom: Number.POSITIVE_INFINITY,
    ...unlinked<Wallet>(),
  };
}

/** Adds holdings and positions to wallets. */
export class Holdings {
  readonly #ids = new TextPool(IDS);

  holdingOf(wallet: Wallet, marketId: string, at: EpochMs): Holding {
    const known = wallet.holdings.get(marketId);
    if (known !== undefined) {
      if (at < known.firstAt) known.firstAt = at;
      return known;
    }
    const holding = { firstAt: at, isInFacts: false, positions: NO_POSITIONS };
    wallet.holdings.set(this.#ids.of(marketId), holding);
    return holding;
  }

  addPosition(wallet: Wallet, holding: Holding, [asset, position]: readonly [string, Position]): void {
    if (holding.positions === NO_POSITIONS) holding.positions = new SmallMap();
    holding.positions.set(this.#ids.of(asset), position);
    wallet.positionCount += 1;
  }

  /** A wallet as `plainWallet` wrote it. */
  restored({ holdings, firstSeenAt, rank, ...facts }: PlainWallet): Wallet {
    const wallet: Wallet = {
      ...newWallet(facts.address, firstSeenAt ?? Number.POSITIVE_INFINITY),
      ...facts,
      rank,
    };
    for (const [marketId, firstAt, isInFacts, positions] of holdings) {
      const holding = this.holdingOf(wallet, marketId, firstAt);
      holding.isInFacts = isInFacts;
      for (const entry of positions) this.addPosition(wallet, holding, entry);
    }
    wallet.tradesFrom = firstTradeOf(wallet);
    return wallet;
  }
}

/**
 * Leaves only the sums of orders and early buys that no trade still to come can join; orders before `from`, early buys before
 * `earlyFrom`, which is earlier. False when there are none.
 */
export function forgetTradesOf(wallet: Wallet, from: EpochMs, earlyFrom: EpochMs): boolean {
  if (wallet.tradesFrom >= from) return false;
  let isChanged = false;
  for (const { positions } of wallet.holdings.values())
    for (const position of positions.values()) if (forgetTrades(position, from, earlyFrom)) isChanged = true;
  wallet.tradesFrom = firstTradeOf(wallet);
  return isChanged;
}

function firstTradeOf({ holdings }: Wallet): EpochMs {
  let first = Number.POSITIVE_INFINITY;
  for (const { positions } of holdings.values())
    for (const { orders, early = [] } of positions.values()) {
      for (const { at } of orders) first = Math.min(first, at);
      for (const { at } of early) first = Math.min(first, at);
    }
  return first;
}

/**
 * Whether all trades of a wallet are known, given that all trades since a moment are. They are if the wallet began later and was
 * seen in every market that its facts count. A wallet that was forgotten in between was not.
 */
export function isKnownSince({ createdAt, marketsInFacts, holdings }: Wallet, since: EpochMs): boolean {
  if (createdAt === null || createdAt < since) return false;
  const seen = holdings.values().filter(({ isInFacts }) => isInFacts).length;
  return seen >= (marketsInFacts ?? 0);
}

/** What the wallet holds in a market, for a thread in one outcome: at the mean price of the buys that count. */
export function memberOf({ address, holdings }: Wallet, marketId: string, asset: string): Member {
  const member: Member = { address, shares: 0, usdc: 0, others: 0 };
  const positions = holdings.get(marketId)?.positions.entries() ?? [];
  for (const [held, { netShares, buyUsdc, buyShares }] of positions) {
    const shares = Math.max(0, netShares);
    if (held !== asset) member.others += shares;
    else {
      member.shares = shares;
      member.usdc = buyShares === 0 ? 0 : partOf(buyUsdc, shares, buyShares);
    }
  }
  return member;
}

/** A wallet as stored. */
export interface PlainWallet extends Pick<Wallet, 'address' | 'createdAt' | 'marketsInFacts' | 'rank'> {
  /** Null in JSON for infinity, which means "not seen trading yet". */
  readonly firstSeenAt: EpochMs | null;
  readonly holdings: readonly (readonly [
    string,
    EpochMs,
    boolean,
    readonly (readonly [string, Position])[],
  ])[];
}

/** The wallet as stored. */
export function plainWallet(wallet: Wallet): PlainWallet {
  const { address, createdAt, marketsInFacts, rank, firstSeenAt, holdings } = wallet;
  return {
    address,
    createdAt,
    marketsInFacts,
    rank,
    firstSeenAt: Number.isFinite(firstSeenAt) ? firstSeenAt : null,
    holdings: holdings
      .entries()
      .map(([id, { firstAt, isInFacts, positions }]) => [id, firstAt, isInFacts, positions.entries()]),
  };
}
