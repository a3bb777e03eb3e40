import { rounded } from '../base/rounded.ts';
import { runsOf } from '../base/runs-of.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';
import type { Trade, TradeRole } from '../trades/trade.ts';

/** Amounts are summed as whole millionths, the unit of the chain: sums are exact, and the same in any sequence. */
export const MICROS = 1_000_000;

/**
 * The fills of one wallet in one asset and side within one block second, across transactions: what one person or
 * program decided in one step. A resting order that is filled over several seconds is several orders.
 */
export interface Order {
  /** One of its fills, one with words where there is one: it names the market and the outcome. */
  readonly fill: Trade;
  /** The second, in milliseconds since the epoch. */
  readonly at: EpochMs;
  /** Sums of the fills, in millionths of a USDC and of a share. */
  readonly usdc: number;
  readonly shares: number;
  /** The role in all its fills; null when it is unknown for one, or they differ. */
  readonly role: TradeRole | null;
}

/** Mean price, USDC a share, weighted by shares and rounded to 6 decimals; 0 for less than a millionth of a share. */
export function meanPrice({ usdc, shares }: Pick<Order, 'usdc' | 'shares'>): number {
  return shares === 0 ? 0 : rounded(usdc / shares, 6);
}

/** A part of an amount, in whole millionths. */
export function partOf(amount: number, shares: number, of: number): number {
  return Math.round((amount * shares) / of);
}

/** The start of the second in which a moment lies. */
export function secondOf(at: EpochMs): EpochMs {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Sums fills to orders, sorted by second, wallet, asset and side (BUY first). Sorts `fills` in place. */
export function ordersOf(fills: Trade[]): readonly Order[] {
  if (fills.length === 0) return [];
  if (fills.length === 1) return [orderOf(fills)];
  return runsOf(fills.sort(compareFills), isOfOneOrder).map(orderOf);
}

function orderOf(fills: readonly Trade[]): Order {
  let usdc = 0;
  let shares = 0;
  for (const fill of fills) {
    usdc += Math.round(fill.shares * fill.price * MICROS);
    shares += Math.round(fill.shares * MICROS);
  }
  const fill = fills.find(hasWords) ?? (fills[0] as Trade);
  const role = fills.every((other) => other.role === fill.role) ? fill.role : null;
  return { fill, at: secondOf(fill.at), usdc, shares, role };
}

/**
 * The order that a removed fill joined: the one of its second, or of the second before or after, since the seconds of different
 * sources may differ by one. Undefined when no large enough order is held.
 */
export function findOrderOf<T extends Pick<Order, 'at' | 'shares'>>(
  orders: readonly T[],
  { at, shares }: Pick<Order, 'at' | 'shares'>,
): T | undefined {
  for (const second of [at, at - SECOND_MS, at + SECOND_MS]) {
    const order = orders.findLast((held) => held.at === second && held.shares >= shares);
    if (order !== undefined) return order;
  }
  return undefined;
}

/** An amount without a removed fill. Prices of different sources differ in the last digits. */
export function amountWithout(
  amount: Pick<Order, 'usdc' | 'shares'>,
  removed: Pick<Order, 'usdc' | 'shares'>,
): Pick<Order, 'usdc' | 'shares'> {
  const shares = amount.shares - removed.shares;
  return { shares, usdc: shares === 0 ? 0 : Math.max(0, amount.usdc - removed.usdc) };
}

/** Whether a fill itself names its market and outcome: sources may list it before they know them. */
export function hasWords({ title, outcome }: Pick<Trade, 'title' | 'outcome'>): boolean {
  return title !== '' && outcome !== '';
}

/** Whether two fills are of the same order. */
export function isOfOneOrder(a: Trade, b: Trade): boolean {
  return compareFills(a, b) === 0;
}

/** Sorts fills as orders are sorted: by second, wallet, asset, side and market; 0 for fills of the same order. */
export function compareFills(a: Trade, b: Trade): number {
  return (
    secondOf(a.at) - secondOf(b.at) ||
    compareTexts(a.wallet, b.wallet) ||
    compareTexts(a.asset, b.asset) ||
    compareTexts(a.side, b.side) ||
    compareTexts(a.marketId, b.marketId)
  );
}

/** By UTF-16 code units, the same everywhere. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Receives every order that the detector books. It has no influence on candidates. */
export interface OrderListener {
  /** Whether it receives the orders of this market even when the rules ignore it, for example because of later tags. */
  isWatched(marketId: string): boolean;
  /**
   * An order, BUY or SELL, of a market that the rules do not ignore or that is watched, after all orders of its second are
   * booked and before they are judged: ascending by second, wallet, asset, side. Fills that come after their order was closed
   * are another order with the same second, wallet, asset and side. Rows that are judged again to rebuild a state are reported
   * again.
   */
  order(order: Order): void;
}
