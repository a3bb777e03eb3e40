import type { Alert } from '../alert.ts';

/** Rates of resolved alerts or markets as shares of 1, losses included; null where none is resolved. */
interface WinRates {
  readonly winRate: number | null;
  /** Mean price at which the outcome hoped for was taken, USDC a share; for a SELL that is 1 − price. */
  readonly averageEntry: number | null;
  /** `winRate − averageEntry`: above 0, the alerts were right more often than the price implied. */
  readonly edge: number | null;
}

/** Resolved observations as sums: how many, and their wins and entries together. */
interface OutcomeCounts {
  readonly resolved: number;
  readonly won: number;
  readonly entrySum: number;
}

/** The price at which an alert took the outcome it hoped for, USDC a share: for a SELL that is 1 − price. */
export function entryOf({ side, entryPrice }: Pick<Alert, 'side' | 'entryPrice'>): number {
  return side === 'BUY' ? entryPrice : 1 - entryPrice;
}

/** The rates from their sums (detection.md, "What the record says"). */
export function ratesOf({ resolved, won, entrySum }: OutcomeCounts): WinRates {
  if (resolved === 0) return { winRate: null, averageEntry: null, edge: null };
  const [winRate, averageEntry] = [won / resolved, entrySum / resolved];
  return { winRate, averageEntry, edge: winRate - averageEntry };
}
