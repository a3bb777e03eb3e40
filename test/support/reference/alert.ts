import { rounded } from '../../../src/core/base/rounded.ts';
import type { AlertType, ScorePart } from '../../../src/core/detection/candidate.ts';
import type { DetectionRules, Steps } from '../../../src/core/detection/rules.ts';
import type { TradeRole } from '../../../src/core/trades/trade.ts';
import type { Cluster } from './clusters.ts';
import type { Facts } from './facts.ts';
import { type Order, priceOf, sharesOf, totalShares, totalUsdc, usdcOf } from './history.ts';

export interface ReferenceAlert {
  readonly key: string;
  readonly type: AlertType;
  readonly wallet: string;
  readonly marketId: string;
  readonly title: string;
  readonly slug: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
  readonly score: number;
  readonly parts: readonly Part[];
  readonly usdc: number;
  readonly shares: number;
  readonly entryPrice: number;
  readonly tradedAt: number;
  readonly tradeCount: number;
  readonly walletAgeDays: number;
  readonly isAccumulating: boolean;
  readonly buyCount: number;
  readonly totalBought: number;
  readonly avgPrice: number;
  readonly positionShares: number;
  readonly heldShare: number;
  readonly isPositionKnown: boolean;
  readonly toWinUsdc: number;
  readonly role: TradeRole | null;
  readonly wallets: readonly string[] | undefined;
  readonly clusterTotal: number | undefined;
  readonly clusterShares: number | undefined;
  readonly clusterAvgPrice: number | undefined;
}

interface Found {
  readonly facts: Facts;
  readonly rules: DetectionRules;
  readonly key: string;
  readonly type: AlertType;
  readonly order: Order;
  readonly measure: number;
  readonly cluster: Cluster | null;
  readonly isPositionKnown: boolean;
}

export function alertOf(found: Found): ReferenceAlert {
  const { facts, key, type, order, cluster } = found;
  const { wallet, asset, marketId, second, fills } = order;
  const buys = facts.buys(wallet, asset);
  const tradeCounts = { fresh: 1, fresh_accumulator: buys.length, cluster: cluster?.orders.length ?? 0 };
  return {
    key,
    type,
    wallet,
    marketId,
    ...facts.words(order),
    ...scored(found),
    usdc: cents(usdcOf(fills)),
    shares: sharesOf(fills) / 1e6,
    entryPrice: priceOf(fills),
    tradedAt: second * 1000,
    tradeCount: tradeCounts[type],
    walletAgeDays: Math.floor(Number(facts.freshness(wallet, second).ageDays)),
    isAccumulating: facts.isAccumulating(order),
    buyCount: buys.length,
    totalBought: cents(totalUsdc(buys)),
    avgPrice: meanPrice(buys),
    positionShares: totalShares(buys) / 1e6,
    heldShare: cluster === null ? facts.heldShare(order) : 1,
    isPositionKnown: found.isPositionKnown,
    toWinUsdc: toWinOf(found),
    role: order.role,
    wallets: cluster?.members,
    clusterTotal: cluster === null ? undefined : cents(cluster.total),
    clusterShares: cluster === null ? undefined : totalShares(cluster.orders) / 1e6,
    clusterAvgPrice: cluster === null ? undefined : meanPrice(cluster.orders),
  };
}

/** Shares less their cost: of a cluster's members, an accumulator's buys, or one order. */
function toWinOf({ facts, type, order, cluster }: Found): number {
  const orders = {
    fresh: [order],
    fresh_accumulator: facts.buys(order.wallet, order.asset),
    cluster: cluster?.orders ?? [],
  }[type];
  return cents(totalShares(orders) - totalUsdc(orders));
}

function scored(found: Found): { parts: Part[]; score: number } {
  const { facts, rules, type, order, measure, cluster } = found;
  const { wallet, marketId, second } = order;
  const { ageDays, markets } = facts.freshness(wallet, second);
  const endsAt = facts.endsAt(marketId);
  return scoreOf(
    {
      ageDays: Number(ageDays),
      markets: Number(markets),
      measure: measure / 1e6,
      toWin: toWinOf(found),
      hoursToEnd: endsAt === null ? null : (endsAt / 1000 - second) / 3600,
      volume: facts.volume(marketId, second),
      isAccumulator: type === 'fresh_accumulator',
      members: cluster?.members.length ?? 0,
    },
    rules,
  );
}

const cents = (millionths: number): number => rounded(millionths / 1e6, 2);
const meanPrice = (orders: readonly Order[]): number => rounded(totalUsdc(orders) / totalShares(orders), 4);

/** What a score is made from. The measure is in USDC. */
interface Scored {
  readonly ageDays: number;
  readonly markets: number;
  readonly measure: number;
  readonly toWin: number;
  /** Hours from the order to the market's end; null when it has none. */
  readonly hoursToEnd: number | null;
  readonly volume: number;
  readonly isAccumulator: boolean;
  /** 0 unless it is a cluster. */
  readonly members: number;
}

type Part = Omit<ScorePart, 'note'>;

function scoreOf(given: Scored, { score: rules }: DetectionRules): { parts: Part[]; score: number } {
  const { toWin } = rules;
  const clamped = Math.min(1, Math.max(0, Math.log10(given.toWin / toWin.fromUsdc) / toWin.decades));
  const parts: Part[] = [
    part('wallet_age', stepped(rules.ageSteps, given.ageDays), mostOf(rules.ageSteps)),
    part('markets', stepped(rules.marketSteps, given.markets), mostOf(rules.marketSteps)),
    part('to_win', toWin.points * clamped, toWin.points),
    timingPart(given, rules.timing),
    part('accumulator', given.isAccumulator ? rules.accumulatorPoints : 0, rules.accumulatorPoints),
    part('cluster', given.members > 0 ? rules.clusterPoints : 0, rules.clusterPoints),
  ].filter(({ points }) => points > 0);
  return {
    parts,
    score: Math.min(
      100,
      parts.reduce((sum, { points }) => sum + points, 0),
    ),
  };
}

function timingPart({ hoursToEnd, measure, volume }: Scored, rules: DetectionRules['score']['timing']): Part {
  const isBeforeEnd = hoursToEnd !== null && hoursToEnd >= 0;
  const forEnd = isBeforeEnd ? stepped(rules.endSteps, hoursToEnd) : 0;
  const isLarge = volume > 0 && measure >= rules.minUsdc && measure >= rules.volumeShare * volume;
  const points = isLarge ? Math.max(forEnd, rules.volumePoints) : forEnd;
  return part('timing', points, Math.max(mostOf(rules.endSteps), rules.volumePoints));
}

function part(factor: Part['factor'], points: number, max: number): Part {
  return { factor, points: Math.floor(points + 0.5), max };
}

const stepped = (steps: Steps, value: number): number => steps.find(([upTo]) => value <= upTo)?.[1] ?? 0;
const mostOf = (steps: Steps): number => Math.max(...steps.map(([, points]) => points));
