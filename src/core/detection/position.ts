import type { AlertType } from '../alert.ts';
import type { EpochMs, Trade } from '../trade.ts';
import type { DetectionRules } from './rules.ts';

/** Trades whose later fills are still recognised as theirs. An order rarely fills in more pieces than this. */
const OPEN_TRADES = 32;

/** The fills of one transaction in one outcome, summed as they come. */
export interface OpenTrade {
  readonly transaction: string;
  usdc: number;
  shares: number;
  /** A trade gives at most one wallet alert. */
  isAlerted: boolean;
}

/** What one wallet did in one outcome. Plain data, so that it can be snapshotted as it stands. */
export interface Position {
  /** Buys that count under the rules, fills of one transaction being one. */
  buys: number;
  buyUsdc: number;
  buyShares: number;
  sellUsdc: number;
  /** All shares bought less all sold, prices the rules ignore included: what the wallet holds as far as is known. */
  netShares: number;
  readonly trades: OpenTrade[];
  lastAlert: { type: AlertType; at: EpochMs; measure: number } | null;
  /** Buys of the cluster window that came before the wallet's facts: they count once it is known to be fresh. */
  early?: EarlyBuy[];
}

/** A buy by a wallet of which nothing was known yet. */
export interface EarlyBuy {
  readonly transaction: string;
  readonly at: EpochMs;
  readonly usdc: number;
}

/** A position in which nothing was traded yet. */
export function createPosition(): Position {
  return { buys: 0, buyUsdc: 0, buyShares: 0, sellUsdc: 0, netShares: 0, trades: [], lastAlert: null };
}

/** Books a fill. Returns the trade it belongs to when it is a buy that counts, null otherwise. */
export function book(position: Position, fill: Trade, counts: boolean): OpenTrade | null {
  const usdc = fill.shares * fill.price;
  if (fill.side === 'SELL') {
    position.netShares -= fill.shares;
    position.sellUsdc += usdc;
    return null;
  }
  position.netShares += fill.shares;
  if (!counts) return null;
  position.buyUsdc += usdc;
  position.buyShares += fill.shares;
  const open = position.trades.find((trade) => trade.transaction === fill.transaction);
  if (open !== undefined) {
    open.usdc += usdc;
    open.shares += fill.shares;
    return open;
  }
  position.buys += 1;
  const trade = { transaction: fill.transaction, usdc, shares: fill.shares, isAlerted: false };
  position.trades.push(trade);
  if (position.trades.length > OPEN_TRADES) position.trades.shift();
  return trade;
}

/** Whether the position is an accumulation: enough buys, not sold again, and not hedged in the other outcomes. */
export function isAccumulating(
  position: Position,
  others: Iterable<Position>,
  { accumulator }: DetectionRules,
): boolean {
  if (position.buys < accumulator.minBuys || position.buyUsdc < accumulator.minTotalUsdc) return false;
  if (position.buyUsdc < accumulator.minBoughtToSold * position.sellUsdc) return false;
  if (position.netShares <= 0) return false;
  let hedge = 0;
  for (const other of others) if (other !== position) hedge += Math.max(0, other.netShares);
  return hedge <= accumulator.maxHedge * position.netShares;
}
