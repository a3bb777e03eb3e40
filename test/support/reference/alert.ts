import { rounded } from '../../../src/core/base/rounded.ts';
import type { AlertType } from '../../../src/core/detection/candidate.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { TradeRole } from '../../../src/core/trades/trade.ts';
import type { Cluster } from './clusters.ts';
import type { Facts } from './facts.ts';
import { type Order, priceOf, sharesOf, totalShares, totalUsdc, usdcOf } from './history.ts';
import { type Part, scoreOf } from './score.ts';

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
