import { rounded } from '../base/rounded.ts';
import type { Alert } from './alert.ts';
import type { Exit } from './exits/exit.ts';

/** The fields of an alert that its bet is computed from. */
export type BetAlert = Pick<
  Alert,
  'id' | 'type' | 'side' | 'usdc' | 'entryPrice' | 'shares' | 'details' | 'resolution'
>;

/**
 * What people call a bet: all that one wallet put on one outcome of a market, or what the members of a cluster put on it
 * together. A thread of alerts is one bet; its newest alert states it.
 */
export interface Bet {
  /** Cost of the buys, in USDC to the cent. */
  readonly putInUsdc: number;
  /** Their mean price, weighted by shares: USDC per share, to 4 decimals. */
  readonly meanPrice: number;
  /** Profit if the outcome happens and everything is held to the end, in USDC before fees, to the cent. */
  readonly toWinUsdc: number;
  /** The part of the shares that is still held, 0 to 1, to 4 decimals; null where trades of the position may have been missed. */
  readonly heldShare: number | null;
  /**
   * What the held part won or lost at settlement, in USDC before fees, to the cent; all of the bet where `heldShare` is null.
   * Null while the market is not settled.
   */
  readonly resultUsdc: number | null;
}

/** The bet of an alert, as of the alert or, with the last valid exit of its thread, as of that exit. */
export function betOf(alert: BetAlert, exit: BetExit | null = null): Bet {
  const { usdc, shares, ...amounts } = stakeOf(alert);
  const heldShare = heldShareOf(alert, exit);
  const { resolution } = alert;
  const resultUsdc =
    resolution === null ? null : rounded((heldShare ?? 1) * profitOf(alert, { usdc, shares }), 2);
  return { putInUsdc: usdc, ...amounts, heldShare, resultUsdc };
}

/** The fields of an exit that tell how much is held. */
export type BetExit = Pick<Exit, 'alertIds' | 'heldShares' | 'peakShares'>;

/** What a bet has put in, in USDC. */
export function putInOf(alert: BetAlert): number {
  return stakeOf(alert).usdc;
}

/**
 * Whether the bet was right: whether its outcome happened, whatever was sold before. In a market with a split payout a bet with
 * a profit is right. Null while the market is not settled.
 */
export function isRight(alert: BetAlert): boolean | null {
  const { resolution } = alert;
  if (resolution === null || isWhole(resolution.payout)) return resolution?.won ?? null;
  return profitOf(alert, stakeOf(alert)) > 0;
}

/** Whether the order of the alert is all of the bet. */
export function isOrderAlone({ type, side, details }: Pick<Alert, 'type' | 'side' | 'details'>): boolean {
  return side === 'SELL' || (type !== 'cluster' && details.marketBuyCount <= 1);
}

interface Stake extends Pick<Bet, 'meanPrice' | 'toWinUsdc'> {
  readonly usdc: number;
  readonly shares: number;
}

function stakeOf(alert: BetAlert): Stake {
  const { type, usdc, shares, entryPrice, details } = alert;
  if (isOrderAlone(alert))
    return { usdc, shares, meanPrice: rounded(entryPrice, 4), toWinUsdc: details.toWinUsdc };
  if (type === 'cluster') {
    const { clusterTotal = usdc, clusterShares = shares, clusterAvgPrice = entryPrice, toWinUsdc } = details;
    return { usdc: clusterTotal, shares: clusterShares, meanPrice: clusterAvgPrice, toWinUsdc };
  }
  const { marketTotalBought, positionShares, marketAvgPrice: meanPrice } = details;
  const toWinUsdc = rounded(positionShares - marketTotalBought, 2);
  return { usdc: marketTotalBought, shares: positionShares, meanPrice, toWinUsdc };
}

/** An exit before the alert is part of what the alert knows of its position. */
function heldShareOf({ id, details }: BetAlert, exit: BetExit | null): number | null {
  if (exit === null || !exit.alertIds.includes(id)) return details.isPositionKnown ? details.heldShare : null;
  const { heldShares, peakShares } = exit;
  return peakShares === 0 ? 0 : rounded((details.heldShare * heldShares) / peakShares, 4);
}

function profitOf(alert: BetAlert, { usdc, shares }: Pick<Stake, 'usdc' | 'shares'>): number {
  const { resolution, side } = alert;
  if (resolution === null) return 0;
  return side === 'SELL' ? resolution.profitUsdc : shares * resolution.payout - usdc;
}

function isWhole(payout: number): boolean {
  return payout === 0 || payout === 1;
}
