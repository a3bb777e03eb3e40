import type { Category } from './category.ts';

/** Direction of a trade, as the market names it. */
export type Side = 'BUY' | 'SELL';

/** The part of a wallet in a match: `taker` crossed the spread, `maker` had rested the order. */
export const TRADE_ROLES = ['taker', 'maker'] as const;
export type TradeRole = (typeof TRADE_ROLES)[number];

/** Where a live feed has trades from, the source that leads while it works first. */
export const TRADE_SOURCES = ['node', 'stream', 'polling'] as const;
export type TradeSource = (typeof TRADE_SOURCES)[number];

/** A moment in milliseconds since the Unix epoch, UTC. The only unit of time inside the service. */
export type EpochMs = number;

/** The index by which the market says that it does not know a trade's outcome. */
export const UNKNOWN_OUTCOME = 999;

/**
 * One fill as the market reports it. All fills of one wallet, asset and side in one second, across transactions, are
 * one order; the detector sums them and judges the order once it is closed.
 */
export interface Trade {
  readonly wallet: string;
  readonly side: Side;
  /** Token id of the outcome, a decimal number as text. */
  readonly asset: string;
  readonly marketId: string;
  /** Number of shares, above 0. Each pays 1 USDC when its outcome wins. */
  readonly shares: number;
  /** USDC a share, 0 to 1. The USDC value of the fill is `shares * price`. */
  readonly price: number;
  readonly at: EpochMs;
  readonly title: string;
  readonly slug: string;
  /** Of the event that the market belongs to; null while unknown. Neither part of the key nor of the score. */
  readonly eventSlug: string | null;
  readonly outcome: string;
  /** In the market's payouts; 999 (`UNKNOWN_OUTCOME`) while unknown. */
  readonly outcomeIndex: number;
  readonly transaction: string;
  /**
   * Counts fills that are equal in transaction, wallet, asset, side and size, from 1, where the source asserts that there
   * are several; 1 otherwise. Part of the key.
   */
  readonly ordinal: number;
  /** Null while unknown. Neither part of the key nor of the score. */
  readonly role: TradeRole | null;
}

/** What is known of a market. A later description replaces an earlier one. */
export interface Market {
  readonly id: string;
  readonly question: string;
  readonly slug: string;
  /** Of the event that the market belongs to, the first where there are several; null when the row did not say. */
  readonly eventSlug: string | null;
  readonly eventTitle: string | null;
  readonly outcomes: readonly string[];
  /** Token ids, in the order of `outcomes`; empty when unknown. */
  readonly tokenIds: readonly string[];
  readonly category: Category;
  /** Tag slugs in lower case; they tell sports and price markets. Null when the row did not say. */
  readonly tags: readonly string[] | null;
  readonly endsAt: EpochMs | null;
  /** USDC traded in the last 24 hours, as the market itself states it. */
  readonly volume24h: number | null;
  /** What a share of each outcome pays (1, 0 or 0.5); null until the market is settled beyond doubt. */
  readonly payouts: readonly number[] | null;
}

/** Facts about a wallet as of a moment. */
export interface WalletFacts {
  readonly wallet: string;
  readonly createdAt: EpochMs | null;
  /** Distinct markets traded before this moment; null when not known. */
  readonly marketsTraded: number | null;
}

/** One validated row of a source, in the order in which things became known. `at` null: the row carries no time. */
export type Row =
  | { readonly kind: 'trade'; readonly at: EpochMs; readonly trade: Trade }
  | { readonly kind: 'market'; readonly at: EpochMs | null; readonly market: Market }
  | { readonly kind: 'wallet'; readonly at: EpochMs | null; readonly facts: WalletFacts }
  /** A fill that was taken back: a reorganisation of the chain removed it. */
  | { readonly kind: 'removed'; readonly at: EpochMs; readonly trade: Trade }
  /** The orders of all trades so far are whole. `at`: the last second it closes; it never moves the source's time. */
  | { readonly kind: 'close'; readonly at: EpochMs };
