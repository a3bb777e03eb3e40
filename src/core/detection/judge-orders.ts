import { runsOf } from '../base/runs-of.ts';
import { type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import type { Trade } from '../trades/trade.ts';
import type { Candidate } from './candidate.ts';
import type { ClusterMemory } from './cluster-memory.ts';
import type { DetectorMemory } from './detector-memory.ts';
import { isFresh } from './freshness.ts';
import { bookVolume, type KnownMarket, unbookVolume } from './market-memory.ts';
import { marketWordsOf } from './market-words.ts';
import { MICROS, type Order, type OrderListener, ordersOf } from './order.ts';
import {
  addBuy,
  addSale,
  type EarlyBuy,
  isAccumulating,
  noteAlert,
  type Position,
  type RecentOrder,
  removeBuy,
  removeEarlyBuy,
  saysMore,
} from './position.ts';
import type { DetectionRules } from './rules.ts';
import { type DetectorFinding, measureOf, toCandidate } from './to-candidate.ts';
import type { Holding, Wallet } from './wallet.ts';

/** An order and its market. */
interface PlacedOrder {
  readonly order: Order;
  readonly market: KnownMarket;
}

/** A booked buy order that is not judged yet. */
interface BookedBuy {
  readonly fill: Trade;
  readonly wallet: Wallet;
  readonly market: KnownMarket;
  readonly holding: Holding;
  readonly position: Position;
  readonly order: RecentOrder;
}

/**
 * Books closed orders and judges them, second by second: all orders of a second are booked before the first of them is
 * judged, so that nothing depends on their sequence. `orders` ascend by second, wallet, asset; `now`: the source's time.
 */
export function judgeOrders(
  memory: DetectorMemory,
  orders: readonly Order[],
  now: EpochMs,
): readonly Candidate[] {
  if (orders.length <= 1) return judgeSecond(memory, orders, now);
  return runsOf(orders, (a, b) => a.at === b.at).flatMap((second) => judgeSecond(memory, second, now));
}

const NONE: readonly Candidate[] = [];

function judgeSecond(memory: DetectorMemory, orders: readonly Order[], now: EpochMs): readonly Candidate[] {
  const buys: BookedBuy[] = [];
  const placed = orders.map((order) => ({ order, market: memory.markets.touch(order.fill) }));
  for (const order of placed) {
    const buy = book(memory, order, now);
    if (buy !== null) buys.push(buy);
  }
  memory.book.judge(orders);
  if (memory.listener !== null) report(memory.listener, placed);
  if (buys.length === 0) return NONE;
  const findings: DetectorFinding[] = [];
  const fresh: DetectorFinding[] = [];
  for (const buy of buys) judgeBuy(memory, buy, findings, fresh);
  if (fresh.length > 0) findClusters(memory, fresh, findings);
  const candidates = findings.length === 0 ? NONE : candidatesOf(memory, findings);
  for (const { wallet } of buys) memory.wallets.retireIfStale(wallet, now);
  return candidates;
}

function candidatesOf(memory: DetectorMemory, findings: readonly DetectorFinding[]): readonly Candidate[] {
  return findings.map((finding) => toCandidate(finding, follow(memory, finding), memory.rules));
}

/** Follows the position of a finding from here on. False when its trades are not all known. */
function follow({ book, wallets, time }: DetectorMemory, finding: DetectorFinding): boolean {
  const { fill, market, order, cluster } = finding;
  if (market.isSettled) return false;
  const { marketId, asset, wallet } = fill;
  const { outcome, outcomeIndex } = marketWordsOf(market, fill);
  const isBinary = market.outcomes.length === 2;
  const subject = { marketId, asset, outcome, outcomeIndex, at: order.at, isBinary };
  const memberOf = (address: string) => wallets.memberOf(address, fill, time.knownSince);
  return cluster === null
    ? book.follow({ ...subject, wallet }, [wallet], memberOf)
    : book.follow({ ...subject, wallet: null }, cluster.wallets, memberOf);
}

/** Reports the booked orders of a second to the listener. */
function report(listener: OrderListener, orders: readonly PlacedOrder[]): void {
  for (const { order, market } of orders)
    if (!market.isIgnored || listener.isWatched(order.fill.marketId)) listener.order(order);
}

/** Null when the order cannot lead to an alert: a sale, an ignored market, or a wallet that can no longer be fresh. */
function book(
  { source, wallets, rules }: DetectorMemory,
  { order, market }: PlacedOrder,
  now: EpochMs,
): BookedBuy | null {
  const { fill, at } = order;
  // Where the source is incomplete, only the volume that the market states counts.
  if (source.isComplete) bookVolume(market, order.usdc, at);
  const wallet = wallets.touch(fill.wallet, at, now);
  if (wallet === null) return null;
  const holding = wallets.holdingOf(wallet, fill.marketId, at);
  // The market counts for freshness; nothing else of it is remembered.
  if (market.isIgnored) {
    wallets.retireIfStale(wallet, now);
    return null;
  }
  const position = wallets.positionOf(wallet, holding, fill.asset);
  if (fill.side === 'SELL') {
    addSale(position, order);
    wallets.retireIfStale(wallet, now);
    return null;
  }
  const recent = addBuy(position, order, rules);
  wallets.noteBought(wallet, position, at);
  return { fill, wallet, market, holding, position, order: recent };
}

/** Adds the wallet's alert, if there is one, to `findings`, and the buy to `fresh` when it counts for a cluster. */
function judgeBuy(
  memory: DetectorMemory,
  buy: BookedBuy,
  findings: DetectorFinding[],
  fresh: DetectorFinding[],
): void {
  const { rules, source, wallets, clusters } = memory;
  const { fill, wallet, market, holding, position, order } = buy;
  if (!order.counts) {
    forget(clusters, buy);
    return;
  }
  const freshness = wallets.freshness(wallet, order.at);
  if (freshness === null) {
    keepEarlyBuy(position, order, rules);
    return;
  }
  const early = takeEarlyBuys(position);
  if (!isFresh(freshness, rules)) return;
  const accumulating = isAccumulating(position, holding.positions.values(), rules);
  const type = accumulating ? 'fresh_accumulator' : 'fresh';
  const isComplete = source.isComplete;
  const finding: DetectorFinding = {
    type,
    fill,
    order,
    position,
    isAccumulating: accumulating,
    market,
    freshness,
    cluster: null,
    isComplete,
  };
  if (isNewAlert(finding, rules)) findings.push(finding);
  const outcomeKey = outcomeKeyOf(fill);
  for (const bought of early) clusters.put(outcomeKey, { wallet: fill.wallet, ...bought });
  clusters.put(outcomeKey, {
    wallet: fill.wallet,
    at: order.at,
    usdc: order.usdc,
    shares: order.shares,
  });
  fresh.push(finding);
}

/** Late fills moved an order's mean to a price that does not count. */
function forget(
  clusters: ClusterMemory,
  { fill, position, order }: Pick<BookedBuy, 'fill' | 'position' | 'order'>,
): void {
  clusters.remove(outcomeKeyOf(fill), { wallet: fill.wallet, at: order.at });
  if (position.early !== undefined) position.early = position.early.filter(({ at }) => at !== order.at);
}

/**
 * Whether a wallet's finding is a new alert, which is then recorded. Late fills of an alerted order raise the measure of its
 * thread: for the last order, to the measure as judged now; for an earlier one, only to its own USDC, since later buys do not
 * belong to it.
 */
function isNewAlert(finding: DetectorFinding, rules: DetectionRules): boolean {
  const { type, order, position } = finding;
  const alert = { type, at: order.at, measure: measureOf(finding) };
  if (order.isAlerted) {
    const isLast = position.lastAlert?.at === order.at;
    noteAlert(position, isLast ? alert : { ...alert, type: 'fresh', measure: order.usdc });
    return false;
  }
  if (type === 'fresh' && order.usdc < rules.significantUsdc * MICROS) return false;
  if (!saysMore(position, alert, rules)) return false;
  order.isAlerted = true;
  noteAlert(position, alert);
  return true;
}

/** Clusters of one second. Each is found with the last of its wallets to buy in that second. */
function findClusters(
  memory: DetectorMemory,
  fresh: readonly DetectorFinding[],
  findings: DetectorFinding[],
): void {
  if (fresh.length === 1) findCluster(memory, fresh, findings);
  else
    for (const buys of Map.groupBy(fresh, ({ fill }) => outcomeKeyOf(fill)).values())
      findCluster(memory, buys, findings);
}

/** `buys`: of one outcome. */
function findCluster(
  { clusters }: DetectorMemory,
  buys: readonly DetectorFinding[],
  findings: DetectorFinding[],
): void {
  const [{ fill, order }] = buys as [DetectorFinding];
  const wallets = buys.map((buy) => buy.fill.wallet);
  const cluster = clusters.judge(outcomeKeyOf(fill), order.at, wallets);
  if (cluster === null) return;
  const lastBuyer = buys.findLast((buy) => cluster.wallets.includes(buy.fill.wallet)) as DetectorFinding;
  findings.push({ ...lastBuyer, type: 'cluster', cluster });
}

/** Key of an outcome in the cluster memory. */
function outcomeKeyOf({ marketId, asset }: Trade): string {
  return `${marketId}:${asset}`;
}

/** A wallet that is fresh later was fresh at these buys too; each alone was too small to make it a member. */
function keepEarlyBuy(
  position: Position,
  { at, usdc, shares }: RecentOrder,
  { cluster, memory }: DetectionRules,
): void {
  const from = at - cluster.windowMinutes * MINUTE_MS;
  const kept = (position.early ?? []).filter((buy) => buy.at >= from && buy.at !== at);
  // The same bound as in a cluster's window.
  position.early = [...kept, { at, usdc, shares }].slice(-memory.buysPerCluster);
}

function takeEarlyBuys(position: Position): readonly EarlyBuy[] {
  const { early = [] } = position;
  delete position.early;
  return early;
}

/**
 * Undoes what a booked fill added to its order and position, its buy in the window of a cluster and the volume of its market,
 * where they are remembered. Alerts, measures of threads, and the wallet's age and markets are kept: a removed fill never makes a
 * wallet fresher.
 */
export function removeFill({ markets, wallets, clusters, rules }: DetectorMemory, fill: Trade): void {
  const [removed] = ordersOf([fill]) as [Order];
  const market = markets.touch(fill);
  unbookVolume(market, removed.usdc, removed.at);
  const { wallet, marketId, asset, side } = fill;
  const position = wallets.alter(wallet)?.holdings.get(marketId)?.positions.get(asset);
  if (side === 'SELL') {
    if (position !== undefined) addSale(position, removed, -1);
    return;
  }
  clusters.reduce(outcomeKeyOf(fill), wallet, removed);
  if (position === undefined) return;
  removeEarlyBuy(position, removed);
  const order = removeBuy(position, removed, market.isIgnored ? null : rules);
  if (order !== null && !order.counts) forget(clusters, { fill, position, order });
}
