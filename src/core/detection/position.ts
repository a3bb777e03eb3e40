import type { EpochMs } from '../base/time/duration.ts';
import type { TradeRole } from '../trades/trade.ts';
import type { AlertType } from './candidate.ts';
import { amountWithout, findOrderOf, MICROS, meanPrice, type Order } from './order.ts';
import type { DetectionRules } from './rules.ts';

/** How many orders of a position late fills can still join. */
const RECENT_ORDERS = 32;

/** A buy order of a position, with the fills so far. Amounts in millionths. */
export interface RecentOrder {
  readonly at: EpochMs;
  usdc: number;
  shares: number;
  /** Whether its mean price is one the rules judge by. */
  counts: boolean;
  /** An order leads to at most one wallet alert. */
  isAlerted: boolean;
  /** The role in all its fills; null when it is unknown for one, or they differ. */
  role: TradeRole | null;
}

/** The last alert of a wallet in an outcome, which the next one must exceed. */
export interface LastAlert {
  readonly type: AlertType;
  /** The second of its order. */
  readonly at: EpochMs;
  /** In millionths of a USDC. */
  readonly measure: number;
}

/** Trades of one wallet in one outcome. Plain data, so that it can be stored in a snapshot unchanged; amounts in millionths. */
export interface Position {
  /** Buy orders that count under the rules, and their sums. */
  buys: number;
  buyUsdc: number;
  buyShares: number;
  sellUsdc: number;
  /** All shares bought less all sold, including at prices the rules ignore: what the wallet holds as far as is known. */
  netShares: number;
  /** Oldest first as they came; at most 32. */
  orders: readonly RecentOrder[];
  lastAlert: LastAlert | null;
  /** Buys of the cluster window that came before the wallet's facts: they count once it is known to be fresh. */
  early?: EarlyBuy[];
}

/** A buy by a wallet about which nothing was known yet. Amounts in millionths. */
export interface EarlyBuy {
  readonly at: EpochMs;
  readonly usdc: number;
  readonly shares: number;
}

/** A position without trades. */
export function createPosition(): Position {
  return { buys: 0, buyUsdc: 0, buyShares: 0, sellUsdc: 0, netShares: 0, orders: [], lastAlert: null };
}

/** Drops orders and early buys that no later trade can join; their sums stay. False when there are none. */
export function forgetTrades(position: Position, ordersFrom: EpochMs, earlyFrom: EpochMs): boolean {
  const { orders, early } = position;
  const isOld = orders.some(({ at }) => at < ordersFrom);
  if (isOld) position.orders = orders.filter(({ at }) => at >= ordersFrom);
  if (early === undefined || early.every(({ at }) => at >= earlyFrom)) return isOld;
  const kept = early.filter(({ at }) => at >= earlyFrom);
  if (kept.length > 0) position.early = kept;
  else delete position.early;
  return true;
}

/** Whether buys at this price are settlement sweeps rather than opinions. */
export function isIgnoredPrice(price: number, { ignore }: DetectionRules): boolean {
  return price <= ignore.priceAtMost || price >= ignore.priceAtLeast;
}

/** Adds a sale; with direction -1 subtracts a removed one. */
export function addSale(position: Position, { usdc, shares }: Order, direction: 1 | -1 = 1): void {
  position.netShares -= direction * shares;
  position.sellUsdc += direction * usdc;
}

/**
 * Adds a buy, or late fills of one. Returns the complete order: whether it counts depends on the mean price of all its
 * fills.
 */
export function addBuy(position: Position, order: Order, rules: DetectionRules): RecentOrder {
  const boughtBefore = position.buyUsdc;
  const recent = recentOrder(position, order.at);
  const isFirst = recent.shares === 0;
  recent.role = isFirst || recent.role === order.role ? order.role : null;
  const [usdc, shares] = [recent.usdc + order.usdc, recent.shares + order.shares];
  resize(position, recent, { usdc, shares }, rules);
  raiseLaterTotal(position, order.at, position.buyUsdc - boughtBefore);
  return recent;
}

/**
 * Subtracts a removed fill from its order. Returns the rest, which may be empty, or null when the order is no longer remembered.
 * An alert of the order stays, and so does the measure that the next one has to exceed.
 */
export function removeBuy(
  position: Position,
  removed: Order,
  rules: DetectionRules | null,
): RecentOrder | null {
  const recent = findOrderOf(position.orders, removed);
  if (recent === undefined) return null;
  resize(position, recent, amountWithout(recent, removed), rules);
  return recent;
}

/** Subtracts a removed fill from the buys that wait for the wallet's facts. */
export function removeEarlyBuy(position: Position, removed: Order): void {
  const { early = [] } = position;
  const held = findOrderOf(early, removed);
  if (held === undefined) return;
  const left = { ...held, ...amountWithout(held, removed) };
  position.early = early.flatMap((buy) => (buy === held ? (left.shares > 0 ? [left] : []) : [buy]));
}

function resize(
  position: Position,
  order: RecentOrder,
  { usdc, shares }: Pick<Order, 'usdc' | 'shares'>,
  rules: DetectionRules | null,
): void {
  position.netShares += shares - order.shares;
  if (order.counts) count(position, order, -1);
  order.usdc = usdc;
  order.shares = shares;
  order.counts = rules !== null && !isIgnoredPrice(meanPrice(order), rules);
  if (order.counts) count(position, order, 1);
}

function recentOrder(position: Position, at: EpochMs): RecentOrder {
  const { orders } = position;
  for (let index = orders.length - 1; index >= 0; index--) {
    const order = orders[index] as RecentOrder;
    if (order.at === at) return order;
  }
  const order = { at, usdc: 0, shares: 0, counts: false, isAlerted: false, role: null };
  // Exactly as long as needed: most positions have one order.
  position.orders = [...orders.slice(1 - RECENT_ORDERS), order];
  return order;
}

function count(position: Position, { usdc, shares }: RecentOrder, sign: 1 | -1): void {
  position.buys += sign;
  position.buyUsdc += sign * usdc;
  position.buyShares += sign * shares;
}

/** The total of a later alert becomes what it would have been if this buy had arrived in time; it never falls. */
function raiseLaterTotal(position: Position, at: EpochMs, usdc: number): void {
  const { lastAlert } = position;
  if (usdc <= 0 || lastAlert === null || lastAlert.at <= at || lastAlert.type !== 'fresh_accumulator') return;
  position.lastAlert = { ...lastAlert, measure: lastAlert.measure + usdc };
}

/** Whether the position is an accumulation: enough buys, not sold again, and not hedged in the other outcomes. */
export function isAccumulating(
  position: Position,
  others: Iterable<Position>,
  { accumulator }: DetectionRules,
): boolean {
  if (position.buys < accumulator.minBuys || position.buyUsdc < accumulator.minTotalUsdc * MICROS)
    return false;
  if (position.buyUsdc < accumulator.minBoughtToSold * position.sellUsdc) return false;
  if (position.netShares <= 0) return false;
  let hedge = 0;
  for (const other of others) if (other !== position) hedge += Math.max(0, other.netShares);
  return hedge <= accumulator.maxHedge * position.netShares;
}

/** There are two claims about a single wallet; accumulation is the stronger one. */
function isStronger(type: AlertType, than: AlertType): boolean {
  return type === 'fresh_accumulator' && than === 'fresh';
}

/** Whether a finding says more than the last alert of the position: a stronger type, or a measure grown enough. */
export function saysMore(
  { lastAlert }: Position,
  { type, measure }: LastAlert,
  { repeat }: DetectionRules,
): boolean {
  if (lastAlert === null || isStronger(type, lastAlert.type)) return true;
  return measure >= repeat.minGrowth * lastAlert.measure;
}

/** Notes an alert, or what an alerted order has become by late fills. The measure that the next one has to exceed never falls. */
export function noteAlert(position: Position, alert: LastAlert): void {
  const { lastAlert } = position;
  if (lastAlert === null) {
    position.lastAlert = alert;
    return;
  }
  position.lastAlert = {
    type: isStronger(alert.type, lastAlert.type) ? alert.type : lastAlert.type,
    at: Math.max(alert.at, lastAlert.at),
    measure: Math.max(alert.measure, lastAlert.measure),
  };
}
