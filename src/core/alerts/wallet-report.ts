import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Alert } from './alert.ts';
import { isRight } from './bet.ts';

/** With fewer settled markets a rate may be chance, even for one wallet. */
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

/** What a wallet holds or sold of one outcome, according to its newest alert on it. */
export interface WalletPosition {
  readonly newest: Alert;
  /** All of them, ascending. */
  readonly alertIds: readonly number[];
  /** The newest that is the wallet's alone; null where all of them are clusters, whose exits belong to several wallets. */
  readonly own: Alert | null;
  /** What its buys cost, USDC; for a sale, its proceeds. */
  readonly usdc: number;
  readonly shares: number;
  /** Mean price of a share, USDC. */
  readonly price: number;
  /** If held to the end, USDC before fees, to the cent. Null while the market is not settled. */
  readonly profitUsdc: number | null;
}

/** What the ledger knows about a wallet. */
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
  /** Its positions according to its newest 1,000 alerts; those with the newest alerts first. */
  readonly positions: { readonly total: number; readonly newest: readonly WalletPosition[] };
  /** Clusters that it is a member of; the newest, newest first. */
  readonly clusters: { readonly total: number; readonly newest: readonly Alert[] };
}

/** The positions of a wallet, those with the newest alerts first. `alerts`: its own alerts, ascending by id. */
export function walletPositions(alerts: readonly Alert[]): readonly WalletPosition[] {
  const positions = Array.from(Map.groupBy(alerts, positionKey).values(), positionOf);
  return positions.toSorted((a, b) => b.newest.id - a.newest.id);
}

/** The record of a wallet, by its positions. */
export function walletRecord(positions: readonly WalletPosition[]): WalletRecord {
  const settled = positions.filter(({ newest }) => newest.resolution !== null);
  const votes = Array.from(
    Map.groupBy(settled, ({ newest }) => newest.marketId).values(),
    (own) => own.filter(({ newest }) => isRight(newest)).length / own.length,
  );
  const counted = { markets: votes.length, positions: settled.length };
  if (votes.length < FIGURES_FROM_MARKETS) return { ...counted, figures: null };
  const profit = settled.reduce((sum, { profitUsdc }) => sum + (profitUsdc ?? 0), 0);
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
function positionOf(alerts: readonly Alert[]): WalletPosition {
  const newest = alerts.at(-1) as Alert;
  const { side, details, usdc, shares, entryPrice, resolution } = newest;
  const amounts =
    side === 'SELL'
      ? { usdc, shares, price: entryPrice }
      : { usdc: details.marketTotalBought, shares: details.positionShares, price: details.marketAvgPrice };
  const own = alerts.findLast(({ type }) => type !== 'cluster') ?? null;
  const gain = resolution && amounts.shares * resolution.payout - amounts.usdc;
  const profitUsdc = gain === null ? null : rounded(side === 'BUY' ? gain : -gain, 2);
  return { newest, alertIds: alerts.map(({ id }) => id), own, ...amounts, profitUsdc };
}
