import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Alert } from './alert.ts';
import { positionProfitOf } from './settlement.ts';

/** Over fewer settled markets a rate, also that of one wallet, may be chance. */
export const FIGURES_FROM_MARKETS = 10;

/** What became of a wallet's positions in settled markets. */
interface WalletRecord {
  readonly markets: number;
  readonly positions: number;
  /** Null with fewer than `FIGURES_FROM_MARKETS` markets. */
  readonly figures: WalletFigures | null;
}

/** Each market has one vote: the share of the wallet's positions in it that were right. */
interface WalletFigures {
  /** Markets with a vote above and below a half. */
  readonly won: number;
  readonly lost: number;
  /** Mean of the votes, 0 to 1. */
  readonly winRate: number;
  /** Of all positions if held to the end, USDC before fees, to the cent. */
  readonly profitUsdc: number;
}

/** What the ledger has of a wallet. */
export interface WalletReport {
  /** When the first alert that names the wallet was created, as its own or as a member of a cluster. */
  readonly firstAt: EpochMs;
  /** Whole days, at its first own alert; null if it is a member of clusters only. */
  readonly ageDaysAtFirst: number | null;
  /** Number of its own alerts. */
  readonly total: number;
  /** A page of them, newest first. */
  readonly alerts: readonly Alert[];
  readonly hasMore: boolean;
  readonly record: WalletRecord;
  /** Clusters that it is a member of; the newest ones, newest first. */
  readonly clusters: { readonly total: number; readonly newest: readonly Alert[] };
}

/** The record of a wallet. `alerts`: its own ones, ascending by id. A position is stated by the newest alert about it. */
export function walletRecord(alerts: readonly Alert[]): WalletRecord {
  const newest = new Map(alerts.map((alert) => [positionKey(alert), alert]));
  const settled = [...newest.values()].filter(({ resolution }) => resolution !== null);
  const votes = Array.from(
    Map.groupBy(settled, ({ marketId }) => marketId).values(),
    (own) => own.filter(({ resolution }) => resolution?.won === true).length / own.length,
  );
  const counted = { markets: votes.length, positions: settled.length };
  if (votes.length < FIGURES_FROM_MARKETS) return { ...counted, figures: null };
  const profit = settled.reduce((sum, alert) => sum + ownProfitOf(alert), 0);
  const profitUsdc = rounded(profit, 2);
  const winRate = votes.reduce((sum, vote) => sum + vote, 0) / votes.length;
  const won = votes.filter((vote) => vote > 0.5).length;
  const lost = votes.filter((vote) => vote < 0.5).length;
  return { ...counted, figures: { won, lost, winRate, profitUsdc } };
}

function positionKey({ marketId, outcome, side }: Alert): string {
  return JSON.stringify([marketId, outcome, side]);
}

/** A cluster states the position of its last wallet in the same fields as an alert of one wallet. */
function ownProfitOf(alert: Alert): number {
  return positionProfitOf({ ...alert, type: 'fresh' }) ?? alert.resolution?.profitUsdc ?? 0;
}
