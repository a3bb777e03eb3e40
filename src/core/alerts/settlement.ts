import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { type Market, outcomeNamed } from '../trades/trade.ts';
import type { Alert, Resolution } from './alert.ts';
import type { LogHead } from './log/log-entry.ts';

/** The payouts of a settled market, by outcome. */
export type Settlement = Pick<Market, 'outcomes'> & { readonly payouts: readonly number[] };

/** A settlement, and when it was known. */
export type KnownSettlement = Settlement & { readonly at: EpochMs };

/**
 * The result of an alert. A BUY is right if its outcome pays 1, a SELL if it pays 0; in a market with a split payout (such as 0.5)
 * an alert with a profit is right. Profit is in USDC, before fees, to the cent. Null if the payout of the alert's outcome is unknown.
 */
export function resolutionOf(
  alert: Pick<Alert, 'side' | 'shares' | 'entryPrice' | 'outcome' | 'outcomeIndex'>,
  settlement: Settlement,
): Resolution | null {
  const payout = payoutOf(alert, settlement);
  if (payout === undefined) return null;
  const perShare = alert.side === 'BUY' ? payout - alert.entryPrice : alert.entryPrice - payout;
  const profitUsdc = rounded(alert.shares * perShare, 2);
  const isSplit = payout !== 0 && payout !== 1;
  const won = isSplit ? profitUsdc > 0 : payout === (alert.side === 'BUY' ? 1 : 0);
  return { payout, won, profitUsdc };
}

/** Whether two have the same payouts, by the same names. */
export function isSameSettlement(one: Settlement, other: Settlement): boolean {
  return isEqual(one.payouts, other.payouts) && isEqual(one.outcomes, other.outcomes);
}

function isEqual<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/** What a share of an outcome paid; undefined if that is not known. */
export function payoutOf(
  { outcome, outcomeIndex }: Pick<Alert, 'outcome' | 'outcomeIndex'>,
  { outcomes, payouts }: Settlement,
): number | undefined {
  const byName = outcomeNamed(outcomes, outcome);
  return payouts[byName < 0 ? outcomeIndex : byName];
}

/** The applied settlement of a market. A correction replaces it. */
export interface MarketSettlement {
  readonly marketId: string;
  /** Number of the change, so that other processes can read those after n. */
  readonly seq: number;
  /** Names of the outcomes, in the order of the payouts; empty if the market never named them. */
  readonly outcomes: readonly string[];
  readonly payouts: readonly number[];
  /** Alerts of the market that are resolved, and won. */
  readonly resolved: number;
  readonly won: number;
  /** Its last entry in the log (`outcome` or `correction`), and when it was settled: the entry may have a later time. */
  readonly log: LogHead & { readonly at: EpochMs };
}

/** The settlements of markets, and the totals of the published record. */
export interface SettlementStore {
  /**
   * Inserts or replaces the market's row. Throws when its `seq` belongs to another market, or is below the one of the market's
   * row.
   */
  put(settlement: MarketSettlement): Promise<void>;
  get(marketId: string): Promise<MarketSettlement | null>;
  /** Rows of these markets, where they have one. */
  some(marketIds: readonly string[]): Promise<readonly MarketSettlement[]>;
  /** Rows with a larger `seq`, ascending, at most `limit`. */
  after(seq: number, limit: number): Promise<readonly MarketSettlement[]>;
  lastSeq(): Promise<number>;
  /** Rows of markets with alerts, the last changed first, at most `limit`. */
  newest(limit: number): Promise<readonly MarketSettlement[]>;
}
