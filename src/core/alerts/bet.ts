import { rounded } from '../base/rounded.ts';
import type { AlertDetails } from '../detection/candidate.ts';
import type { Alert } from './alert.ts';

/** The fields of an alert that tell what was bet. */
export interface StakeAlert extends Pick<Alert, 'type' | 'side' | 'usdc' | 'entryPrice'> {
  readonly details: Pick<
    AlertDetails,
    | ('marketBuyCount' | 'marketTotalBought' | 'marketAvgPrice' | 'positionShares' | 'toWinUsdc')
    | ('clusterTotal' | 'clusterAvgPrice')
  >;
}

/** The fields of an alert that its bet is computed from. */
export type BetAlert = StakeAlert & Pick<Alert, 'id' | 'shares' | 'details' | 'resolution'>;

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

/** The bet of an alert, as of the alert or, with the last exit of its thread, as of that exit. */
export function betOf(alert: BetAlert, exit: BetExit | null = null): Bet {
  const heldShare = heldShareOf(alert, exit);
  const profit = profitOf(alert);
  const resultUsdc = profit === null ? null : rounded((heldShare ?? 1) * profit, 2);
  return { ...stakeOf(alert), heldShare, resultUsdc };
}

/** Profit of the whole bet if held to the end, USDC before fees, to the cent. Null while the market is not settled. */
export function profitIfHeld(alert: BetAlert): number | null {
  const profit = profitOf(alert);
  return profit === null ? null : rounded(profit, 2);
}

/** The fields of an exit that tell how much is held. */
export interface BetExit {
  readonly alertIds: readonly number[];
  readonly heldShares: number;
  readonly peakShares: number;
}

/** What a bet has put in, in USDC. */
export function putInOf(alert: StakeAlert): number {
  return stakeOf(alert).putInUsdc;
}

/**
 * Whether the bet was right: whether its outcome happened, whatever was sold before. In a market with a split payout a bet with
 * a profit is right. Null while the market is not settled.
 */
export function isRight(alert: BetAlert): boolean | null {
  const { resolution } = alert;
  if (resolution === null || isWhole(resolution.payout)) return resolution?.won ?? null;
  return (profitOf(alert) ?? 0) > 0;
}

/** Whether the order of the alert is all of the bet. */
export function isOrderAlone({ type, side, details }: StakeAlert): boolean {
  return side === 'SELL' || (type !== 'cluster' && details.marketBuyCount <= 1);
}

/** What was put in, at which mean price, and what it would win. */
export function stakeOf(alert: StakeAlert): Pick<Bet, 'putInUsdc' | 'meanPrice' | 'toWinUsdc'> {
  const { type, usdc, entryPrice, details } = alert;
  const { toWinUsdc } = details;
  if (isOrderAlone(alert)) return { putInUsdc: usdc, meanPrice: rounded(entryPrice, 4), toWinUsdc };
  if (type === 'cluster') {
    const { clusterTotal = usdc, clusterAvgPrice = entryPrice } = details;
    return { putInUsdc: clusterTotal, meanPrice: clusterAvgPrice, toWinUsdc };
  }
  const { marketTotalBought, positionShares, marketAvgPrice } = details;
  return {
    putInUsdc: marketTotalBought,
    meanPrice: marketAvgPrice,
    toWinUsdc: rounded(positionShares - marketTotalBought, 2),
  };
}

/**
 * The part of the shares that is still held, 0 to 1, to 4 decimals: less is nothing. Null where trades of the position may have been missed. An exit before the
 * alert is part of what the alert knows of its position. A sale is a bet of its own, which nothing changes later.
 */
export function heldShareOf(
  { id, side, details }: Pick<Alert, 'id' | 'side' | 'details'>,
  exit: BetExit | null,
): number | null {
  if (side === 'SELL') return 1;
  if (exit === null || !exit.alertIds.includes(id)) return details.isPositionKnown ? details.heldShare : null;
  const { heldShares, peakShares } = exit;
  return rounded((details.heldShare * heldShares) / peakShares, 4);
}

function profitOf(alert: BetAlert): number | null {
  const { type, shares, details, resolution } = alert;
  if (resolution === null) return null;
  if (isOrderAlone(alert)) return resolution.profitUsdc;
  const bought = type === 'cluster' ? (details.clusterShares ?? shares) : details.positionShares;
  return bought * resolution.payout - putInOf(alert);
}

function isWhole(payout: number): boolean {
  return payout === 0 || payout === 1;
}
