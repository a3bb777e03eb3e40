import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { AlertType } from '../detection/candidate.ts';
import type { Side } from '../trades/trade.ts';
import type { Alert } from './alert.ts';
import { putInOf } from './bet.ts';
import { newestOfThreads } from './ledger/thread.ts';
import type { KnownSettlement } from './settlement.ts';
import { walletPositions } from './wallet-report.ts';

/** Lists of a market are bounded: threads, alerts of a thread, wallets. */
const THREADS_MAX = 50;
const PRICES_MAX = 20;
const WALLETS_MAX = 20;

interface OutcomeAlerts {
  readonly outcome: string;
  readonly alerts: number;
  /** Threads: each is one bet. */
  readonly threads: number;
  readonly wallets: number;
  /** What its bets have put in. */
  readonly putInUsdc: number;
}

/** The alerts of one wallet, or of clusters, on one outcome and side. */
export interface MarketThread {
  readonly threadId: number;
  readonly type: AlertType;
  readonly score: number;
  /** Null for clusters. */
  readonly wallet: string | null;
  readonly outcome: string;
  readonly side: Side;
  readonly alerts: number;
  /** Prices of its alerts, newest first; USDC per share of its outcome. */
  readonly prices: readonly {
    readonly id: number;
    readonly at: EpochMs;
    readonly price: number;
    readonly usdc: number;
  }[];
}

interface MarketWallet {
  readonly wallet: string;
  /** Alerts of its own, and what its bets have put in; 0 if it is only a member of a cluster. */
  readonly alerts: number;
  readonly putInUsdc: number;
}

interface MarketFigures {
  /** By what their bets have put in, descending. */
  readonly outcomes: readonly OutcomeAlerts[];
  readonly threads: { readonly total: number; readonly newest: readonly MarketThread[] };
  /** Includes members of clusters; the largest by what they have put in. */
  readonly wallets: { readonly total: number; readonly largest: readonly MarketWallet[] };
}

/** What the ledger knows about a market. */
export interface MarketReport extends MarketFigures {
  readonly total: number;
  /** Number of newest alerts that the figures cover. */
  readonly counted: number;
  readonly alerts: readonly Alert[];
  readonly hasMore: boolean;
  readonly newest: Alert;
  /** Null while it is not settled. */
  readonly resolution: KnownSettlement | null;
}

/** The figures of these alerts of one market, ascending by id. */
export function marketFigures(alerts: readonly Alert[]): MarketFigures {
  const threads = [...Map.groupBy(alerts, ({ threadId }) => threadId).values()].map(threadOf);
  const wallets = walletsOf(alerts);
  return {
    outcomes: [...Map.groupBy(alerts, ({ outcome }) => outcome)].map(outcomeOf).toSorted(byPutIn),
    threads: {
      total: threads.length,
      newest: threads.toSorted((a, b) => lastOf(b) - lastOf(a)).slice(0, THREADS_MAX),
    },
    wallets: { total: wallets.length, largest: wallets.toSorted(byPutIn).slice(0, WALLETS_MAX) },
  };
}

function outcomeOf([outcome, alerts]: readonly [string, readonly Alert[]]): OutcomeAlerts {
  const bets = newestOfThreads(alerts);
  return {
    outcome,
    alerts: alerts.length,
    threads: bets.length,
    wallets: walletsOf(alerts).length,
    putInUsdc: sumOf(bets.map(putInOf)),
  };
}

function threadOf(alerts: readonly Alert[]): MarketThread {
  const { threadId, type, score, wallet, outcome, side } = alerts.at(-1) as Alert;
  return {
    threadId,
    type,
    score,
    wallet: type === 'cluster' ? null : wallet,
    outcome,
    side,
    alerts: alerts.length,
    prices: alerts
      .slice(-PRICES_MAX)
      .toReversed()
      .map(({ id, createdAt: at, entryPrice: price, usdc }) => ({ id, at, price, usdc })),
  };
}

function walletsOf(alerts: readonly Alert[]): MarketWallet[] {
  const own = Map.groupBy(alerts, ({ wallet }) => wallet);
  const members = alerts.flatMap(({ details }) => details.wallets ?? []);
  return Array.from(new Set([...own.keys(), ...members]), (wallet) => {
    const made = own.get(wallet) ?? [];
    const putInUsdc = sumOf(walletPositions(made).map(({ usdc }) => usdc));
    return { wallet, alerts: made.length, putInUsdc };
  });
}

function sumOf(amounts: readonly number[]): number {
  const sum = amounts.reduce((total, usdc) => total + usdc, 0);
  return rounded(sum, 2);
}

function byPutIn(a: { readonly putInUsdc: number }, b: { readonly putInUsdc: number }): number {
  return b.putInUsdc - a.putInUsdc;
}

function lastOf({ prices }: MarketThread): number {
  return prices[0]?.id ?? 0;
}
