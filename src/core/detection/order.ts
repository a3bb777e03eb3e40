import { SECOND_MS } from '../duration.ts';
import { rounded } from '../rounded.ts';
import { runsOf } from '../runs-of.ts';
import type { EpochMs, Trade } from '../trade.ts';

/** Amounts are summed as whole millionths, the unit of the chain: sums are exact, and the same in any sequence. */
export const MICROS = 1_000_000;

/**
 * The fills of one wallet in one asset and side within one block second, across transactions: what one person or
 * program decided at once. A resting order that is filled over several seconds is several orders.
 */
export interface Order {
  /** One of its fills, one with words where there is one: it names the market and the outcome. */
  readonly fill: Trade;
  /** The second, in milliseconds since the epoch. */
  readonly at: EpochMs;
  /** Sums of the fills, in millionths of a USDC and of a share. */
  readonly usdc: number;
  readonly shares: number;
}

/** Mean price, USDC a share, weighted by shares and rounded to 6 decimals; 0 for less than a millionth of a share. */
export function meanPrice({ usdc, shares }: Pick<Order, 'usdc' | 'shares'>): number {
  return shares === 0 ? 0 : rounded(usdc / shares, 6);
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
  return { fill, at: secondOf(fill.at), usdc, shares };
}

/** Whether a fill itself names its market and outcome: sources may list it before they know. */
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
