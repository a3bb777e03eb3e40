import type { AlertType, Candidate } from '../alert.ts';
import { HOUR_MS } from '../duration.ts';
import type { Trade } from '../trade.ts';
import type { Cluster } from './cluster-memory.ts';
import type { Hash64 } from './fill-hash.ts';
import { type KnownMarket, outcomeIndexOf, volume24h } from './market-memory.ts';
import type { OpenTrade, Position } from './position.ts';
import type { DetectionRules } from './rules.ts';
import { scoreOf } from './score.ts';
import type { Freshness } from './wallet-memory.ts';

/** All that is known about a finding at the moment it is made. */
export interface Finding {
  readonly type: AlertType;
  readonly fill: Trade;
  readonly hash: Hash64;
  readonly trade: OpenTrade;
  readonly position: Position;
  readonly isAccumulating: boolean;
  readonly market: KnownMarket;
  readonly freshness: Freshness;
  readonly cluster: Cluster | null;
  readonly isComplete: boolean;
}

/** Writes a finding down as a candidate: its numbers rounded, its score with the reasons. */
export function toCandidate(finding: Finding, rules: DetectionRules): Candidate {
  const { type, fill, trade, market, cluster, hash } = finding;
  // Scored by the price that is published: a quotient of floats would fall off the edges of the steps.
  const entryPrice = rounded(trade.usdc / trade.shares, 6);
  const { score, reasons } = scoreFinding(finding, entryPrice, rules);
  return {
    key: `${type === 'cluster' ? 'c' : 'w'}:${fill.transaction}:${hex(hash.high)}${hex(hash.low)}`,
    type,
    wallet: fill.wallet,
    marketId: fill.marketId,
    eventTitle: market.title,
    eventSlug: market.slug,
    side: fill.side,
    outcome: fill.outcome,
    outcomeIndex: outcomeIndexOf(market, fill),
    entryPrice,
    usdc: rounded(trade.usdc, 2),
    shares: rounded(trade.shares, 6),
    score,
    category: market.category,
    tradeCount: tradeCountOf(finding),
    tradedAt: fill.at,
    details: {
      ...detailsOf(finding),
      ...(cluster === null ? {} : { wallets: cluster.wallets, clusterTotal: rounded(cluster.totalUsdc, 2) }),
      reasons,
      ruleVersion: rules.version,
    },
  };
}

/** The measure of a finding: what has to grow before it is told again, and what counts as its size. */
export function measureOf({ type, trade, position, cluster }: Finding): number {
  if (type === 'fresh') return trade.usdc;
  return type === 'cluster' && cluster !== null ? cluster.totalUsdc : position.buyUsdc;
}

function scoreFinding(finding: Finding, price: number, rules: DetectionRules): ReturnType<typeof scoreOf> {
  const { type, fill, market, freshness, cluster, isComplete } = finding;
  return scoreOf(rules.score, {
    type,
    ageDays: freshness.ageDays,
    markets: freshness.markets,
    sizeUsdc: measureOf(finding),
    price,
    hoursToEnd: market.endsAt === null ? null : (market.endsAt - fill.at) / HOUR_MS,
    volume24h: volume24h(market, fill.at, isComplete),
    clusterWallets: cluster?.wallets.length ?? 0,
  });
}

function tradeCountOf({ type, position, cluster }: Finding): number {
  if (type === 'fresh') return 1;
  return cluster?.tradeCount ?? position.buys;
}

function detailsOf({ freshness, isAccumulating, position }: Finding) {
  return {
    walletAgeDays: Math.floor(freshness.ageDays),
    isAccumulating,
    marketBuyCount: position.buys,
    marketTotalBought: rounded(position.buyUsdc, 2),
    marketAvgPrice: rounded(position.buyUsdc / position.buyShares, 4),
  };
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
