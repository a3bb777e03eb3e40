import type { EpochMs } from '../base/time/duration.ts';

/** Direction of a trade, as the market names it. */
export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];

/** Role of a wallet in a match: the `taker` crossed the spread, the `maker` had a resting order. */
export const TRADE_ROLES = ['taker', 'maker'] as const;
export type TradeRole = (typeof TRADE_ROLES)[number];

/** Sources of live trades, in order of preference. */
export const TRADE_SOURCES = ['node', 'polling'] as const;
export type TradeSource = (typeof TRADE_SOURCES)[number];

/** The outcome index of a trade whose outcome the market does not know. */
export const UNKNOWN_OUTCOME = 999;

/**
 * One fill as the market reports it. All fills of one wallet, asset and side in one second, across transactions, are
 * one order; the detector sums them and judges the order when it is closed.
 */
export interface Trade {
  readonly wallet: string;
  readonly side: Side;
  /** Token id of the outcome, a decimal number as text. */
  readonly asset: string;
  readonly marketId: string;
  /** Number of shares, above 0. Each pays 1 USDC when its outcome wins. */
  readonly shares: number;
  /** USDC per share, 0 to 1. The USDC value of the fill is `shares * price`. */
  readonly price: number;
  readonly at: EpochMs;
  readonly title: string;
  readonly slug: string;
  /** Event of the market; null while unknown. Not part of the key or the score. */
  readonly eventSlug: string | null;
  readonly outcome: string;
  /** Index in the payouts of the market; 999 (`UNKNOWN_OUTCOME`) while unknown. */
  readonly outcomeIndex: number;
  readonly transaction: string;
  /**
   * Number of the fill, from 1, among fills that are equal in transaction, wallet, asset, side and size, where the source
   * asserts that there are several; 1 otherwise. Part of the key.
   */
  readonly ordinal: number;
  /** Null while unknown. Not part of the key or the score. */
  readonly role: TradeRole | null;
}

/** Description of a market. A later one replaces an earlier one. */
export interface Market {
  readonly id: string;
  readonly question: string;
  readonly slug: string;
  /** Event of the market, the first if it has several; null when the row did not state it. */
  readonly eventSlug: string | null;
  readonly outcomes: readonly string[];
  /** Token ids, in the order of `outcomes`; empty when unknown. */
  readonly tokenIds: readonly string[];
  readonly category: Category;
  /** Tag slugs in lower case, which identify sports and price markets. Null when the row did not state them. */
  readonly tags: readonly string[] | null;
  readonly endsAt: EpochMs | null;
  /** USDC traded in the last 24 hours, as reported by the market. */
  readonly volume24h: number | null;
  /** Payout of a share of each outcome, parts of 1 (mostly 1 and 0); null until the market is finally settled. */
  readonly payouts: readonly number[] | null;
}

/** Facts about a wallet at a given time. */
export interface WalletFacts {
  readonly wallet: string;
  readonly createdAt: EpochMs | null;
  /** Distinct markets traded before that time; null when unknown. */
  readonly marketsTraded: number | null;
}

/** One validated row of a source, in the order in which facts became known. `at` null: the row has no time. */
export type Row =
  | { readonly kind: 'trade'; readonly at: EpochMs; readonly trade: Trade }
  | { readonly kind: 'market'; readonly at: EpochMs | null; readonly market: Market }
  | { readonly kind: 'wallet'; readonly at: EpochMs | null; readonly facts: WalletFacts }
  /** A fill that a reorganisation of the chain removed. */
  | { readonly kind: 'removed'; readonly at: EpochMs; readonly trade: Trade }
  /** The orders of all trades so far are complete. `at`: the last second that it closes; it never advances the time of the source. */
  | { readonly kind: 'close'; readonly at: EpochMs };

/** Categories of markets, in the order of the contract. */
export const CATEGORIES = ['crypto', 'politics', 'world', 'tech', 'finance', 'pop_culture', 'other'] as const;
export type Category = (typeof CATEGORIES)[number];

/**
 * The index of the outcome with this name. -1 if there is none or more than one, and for an empty name, since names may become
 * equal when their texts are cleaned.
 */
export function outcomeNamed(outcomes: readonly string[], name: string): number {
  const first = outcomes.indexOf(name);
  return name !== '' && first === outcomes.lastIndexOf(name) ? first : -1;
}
