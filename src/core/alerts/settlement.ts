import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { type Market, outcomeNamed } from '../trades/trade.ts';
import type { Alert, Resolution } from './alert.ts';
import type { LogEntry, LogHead, LogKind } from './log/log-entry.ts';

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

/** The kinds of entries that a settled market makes. */
export const SETTLEMENT_KINDS = ['settlement', 'correction'] as const satisfies readonly LogKind[];
/** Its first settlement, or a correction that replaces it. */
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

/** A settlement of a market as the log has it. */
export interface MarketSettlement extends KnownSettlement {
  /** 1, 2, 3 … : its position among the settlements and corrections of the log. */
  readonly number: number;
  readonly kind: SettlementKind;
  readonly marketId: string;
  readonly log: LogHead;
  /** The time of its entry, which may be later than `at`. */
  readonly enteredAt: EpochMs;
}

/** An entry of `SETTLEMENT_KINDS`; null for another. */
export function settlementOfEntry(entry: LogEntry, number: number): MarketSettlement | null {
  const kind = SETTLEMENT_KINDS.find((each) => each === entry.kind);
  if (kind === undefined) return null;
  const { market_id, outcomes, payouts, settled_at } = entry.body as {
    readonly market_id: string;
    readonly outcomes: readonly string[];
    readonly payouts: readonly number[];
    readonly settled_at: string;
  };
  const { seq, hash, at: enteredAt } = entry;
  const settlement = { marketId: market_id, outcomes, payouts, at: Date.parse(settled_at) };
  return { ...settlement, number, kind, log: { seq, hash }, enteredAt };
}
