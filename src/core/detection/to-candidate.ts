import { rounded } from '../base/rounded.ts';
import { HOUR_MS, SECOND_MS } from '../base/time/duration.ts';
import type { Trade } from '../trades/trade.ts';
import type { AlertType, Candidate } from './candidate.ts';
import type { WalletCluster } from './cluster-memory.ts';
import type { Freshness } from './freshness.ts';
import { type KnownMarket, volume24h } from './market-memory.ts';
import { marketWordsOf } from './market-words.ts';
import { MICROS, meanPrice } from './order.ts';
import type { Position, RecentOrder } from './position.ts';
import type { DetectionRules } from './rules.ts';
import { scoreOf } from './score.ts';

/** All that is known about a finding at the moment it is made. */
export interface DetectorFinding {
  readonly type: AlertType;
  /** A fill of the order. */
  readonly fill: Trade;
  readonly order: RecentOrder;
  readonly position: Position;
  readonly isAccumulating: boolean;
  readonly market: KnownMarket;
  readonly freshness: Freshness;
  readonly cluster: WalletCluster | null;
  readonly isComplete: boolean;
}

/** Writes a finding down as a candidate: its numbers rounded, its score with the reasons. */
export function toCandidate(
  finding: DetectorFinding,
  isPositionKnown: boolean,
  rules: DetectionRules,
): Candidate {
  const { type, fill, order, market } = finding;
  // Scored by the amount that is published, so that a reader can compute the part.
  const toWinUsdc = rounded(toWinOf(finding) / MICROS, 2);
  const { score, reasons } = scoreFinding(finding, toWinUsdc, rules);
  return {
    key: keyOf(finding),
    type,
    wallet: fill.wallet,
    marketId: fill.marketId,
    ...marketWordsOf(market, fill),
    side: fill.side,
    entryPrice: meanPrice(order),
    usdc: rounded(order.usdc / MICROS, 2),
    shares: order.shares / MICROS,
    score,
    category: market.category,
    tradeCount: tradeCountOf(finding),
    tradedAt: order.at,
    details: { ...detailsOf(finding), isPositionKnown, toWinUsdc, reasons, ruleVersion: rules.version },
  };
}

/** The measure of a finding, in millionths of a USDC: what has to double before the thread alerts again. */
export function measureOf({
  type,
  order,
  position,
  cluster,
}: Pick<DetectorFinding, 'type' | 'order' | 'position' | 'cluster'>) {
  if (type === 'fresh') return order.usdc;
  return cluster?.usdc ?? position.buyUsdc;
}

/** What the measure wins if it is right, in millionths of a USDC. */
function toWinOf({ type, order, position, cluster }: DetectorFinding): number {
  if (type === 'fresh') return order.shares - order.usdc;
  if (cluster !== null) return cluster.shares - cluster.usdc;
  return position.buyShares - position.buyUsdc;
}

/** The wallet that completes a cluster may depend on which fills came first, so the key of a cluster names none. */
function keyOf({ type, fill: { wallet, asset, side }, order }: DetectorFinding): string {
  const rest = `${asset}:${side}:${order.at / SECOND_MS}`;
  return type === 'cluster' ? `c:${rest}` : `w:${wallet}:${rest}`;
}

function scoreFinding(
  finding: DetectorFinding,
  toWinUsdc: number,
  rules: DetectionRules,
): ReturnType<typeof scoreOf> {
  const { type, order, market, freshness, cluster, isComplete } = finding;
  return scoreOf(rules.score, {
    type,
    ageDays: freshness.ageDays,
    markets: freshness.markets,
    measureUsdc: measureOf(finding) / MICROS,
    toWinUsdc,
    hoursToEnd: market.endsAt === null ? null : (market.endsAt - order.at) / HOUR_MS,
    volume24h: volume24h(market, order.at, isComplete),
    clusterWallets: cluster?.wallets.length ?? 0,
  });
}

function tradeCountOf({ type, position, cluster }: DetectorFinding): number {
  if (type === 'fresh') return 1;
  return cluster?.orderCount ?? position.buys;
}

function detailsOf({ freshness, isAccumulating, position, order, cluster }: DetectorFinding) {
  return {
    walletAgeDays: Math.floor(freshness.ageDays),
    isAccumulating,
    marketBuyCount: position.buys,
    marketTotalBought: rounded(position.buyUsdc / MICROS, 2),
    marketAvgPrice: rounded(position.buyUsdc / position.buyShares, 4),
    positionShares: position.buyShares / MICROS,
    heldShare: cluster === null ? heldShareOf(position) : 1,
    role: order.role,
    ...(cluster === null ? {} : clusterDetails(cluster)),
  };
}

/** Shares bought at prices that do not count may make up for sold ones. */
function heldShareOf({ netShares, buyShares }: Position): number {
  return rounded(Math.min(1, Math.max(0, netShares / buyShares)), 4);
}

function clusterDetails({ wallets, usdc, shares }: WalletCluster) {
  return {
    wallets,
    clusterTotal: rounded(usdc / MICROS, 2),
    clusterShares: shares / MICROS,
    clusterAvgPrice: rounded(usdc / shares, 4),
  };
}
