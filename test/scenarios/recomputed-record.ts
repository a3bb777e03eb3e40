import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An alert as it is published: what the recomputation takes from the program. Times in milliseconds. */
export interface ListedAlert {
  readonly marketId: string;
  readonly wallet: string;
  readonly outcomeIndex: number;
  readonly tradedAt: number;
  readonly publishedAt: number;
  readonly entryPrice: number;
}

interface Order {
  readonly at: number;
  readonly wallet: string;
  readonly isBuy: boolean;
  readonly outcome: number;
  shares: number;
  usdc: number;
}

interface TapeMarket {
  event: string;
  orders: Order[];
  settledAt: number;
  payouts: number[];
}

/** Means in cents a share. */
export interface Mean {
  readonly alerts: number;
  readonly events: number;
  readonly perAlert: number;
  readonly perEvent: number;
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The orders and results of a tape: its own reading, for comparison. All fills of a wallet, outcome and side in a second are an order. */
export function readOrders(tape: string): ReadonlyMap<string, TapeMarket> {
  const markets = new Map<string, TapeMarket>();
  const orders = new Map<string, Order>();
  const text = gunzipSync(readFileSync(join(import.meta.dirname, '../..', tape))).toString('utf8');
  for (const line of text.split('\n').slice(1, -1)) {
    const row = JSON.parse(line);
    const market = markets.get(row.conditionId) ?? {
      event: '',
      orders: [],
      settledAt: Infinity,
      payouts: [],
    };
    markets.set(row.conditionId, market);
    if (row.question !== undefined) {
      market.event = row.events[0].slug;
      if (row.closed !== true) continue;
      market.settledAt = row.at * 1_000;
      market.payouts = JSON.parse(row.outcomePrices).map(Number);
      continue;
    }
    const name = [row.conditionId, row.proxyWallet, row.asset, row.side, row.timestamp].join();
    let order = orders.get(name);
    if (order === undefined) {
      const [at, isBuy] = [row.timestamp * 1_000, row.side === 'BUY'];
      order = { at, wallet: row.proxyWallet, isBuy, outcome: row.outcomeIndex, shares: 0, usdc: 0 };
      orders.set(name, order);
      market.orders.push(order);
    }
    order.shares += row.size;
    order.usdc += row.size * row.price;
  }
  return markets;
}

/** What each alert was worth, in USDC a share; null where no order shows a price. */
export interface Worth {
  readonly event: string;
  readonly impact: number | null;
  readonly drift1h: number | null;
  readonly drift24h: number | null;
  readonly drift1hFromEntry: number | null;
  readonly drift24hFromEntry: number | null;
  readonly wonMinusPrice: number;
}

/**
 * `record`: as docs/method.md defines it: the reference is made of orders after the alert's own, at the first whole minute from 60 s
 * after publication that has one before it. `plain`: prices of any orders but the own one, exactly 60 s after publication.
 */
export function worthOf(
  alert: ListedAlert,
  markets: ReadonlyMap<string, TapeMarket>,
  method: 'record' | 'plain',
): Worth {
  const market = markets.get(alert.marketId) as TapeMarket;
  const plain = alert.publishedAt + MINUTE;
  const moment = method === 'plain' ? plain : firstPriced(wholeMinute(plain), alert, market);
  const priceAt = (after: number) =>
    moment === null
      ? null
      : priceBefore(moment + after, alert, market, method === 'record' ? alert.tradedAt : null);
  const [before, reference] = [priceBefore(alert.tradedAt, alert, market), priceAt(0)];
  const [after1h, after24h] = [priceAt(HOUR), priceAt(DAY)];
  return {
    event: market.event,
    impact: minus(reference, before),
    drift1h: minus(after1h, reference),
    drift24h: minus(after24h, reference),
    drift1hFromEntry: reference === null ? null : minus(after1h, alert.entryPrice),
    drift24hFromEntry: reference === null ? null : minus(after24h, alert.entryPrice),
    wonMinusPrice: (market.payouts[alert.outcomeIndex] as number) - alert.entryPrice,
  };
}

function wholeMinute(moment: number): number {
  return Math.ceil(moment / MINUTE) * MINUTE;
}

/** The first whole minute, at most an hour later, before which the market had an order after the alert's or was settled. */
function firstPriced(
  earliest: number,
  { tradedAt }: ListedAlert,
  { orders, settledAt }: TapeMarket,
): number | null {
  const next = orders.find(({ at }) => at > tradedAt)?.at ?? Infinity;
  const moment = Math.max(earliest, Math.min(wholeMinute(next + 1), wholeMinute(settledAt)));
  return moment > earliest + HOUR ? null : moment;
}

/**
 * Median of the last three orders of the hour before a moment without the alert's own, on the scale of its outcome, and only of those
 * after `since`; the payout once settled.
 */
function priceBefore(
  moment: number,
  alert: ListedAlert,
  market: TapeMarket,
  since: number | null = null,
): number | null {
  if (market.settledAt <= moment) return market.payouts[alert.outcomeIndex] as number;
  const isOwn = ({ at, wallet, outcome, isBuy }: Order) =>
    at === alert.tradedAt && wallet === alert.wallet && outcome === alert.outcomeIndex && isBuy;
  const prices = market.orders
    .filter(({ at }) => at >= moment - HOUR && at < moment && at > (since ?? 0))
    .filter((order) => !isOwn(order))
    .map(({ usdc, shares, outcome }) => (outcome === alert.outcomeIndex ? usdc / shares : 1 - usdc / shares))
    .slice(-3)
    .sort((a, b) => a - b);
  if (prices.length === 0) return null;
  const middle = (prices.length - 1) / 2;
  return ((prices[Math.floor(middle)] as number) + (prices[Math.ceil(middle)] as number)) / 2;
}

function minus(value: number | null, from: number | null): number | null {
  return value === null || from === null ? null : value - from;
}

/** The first alert of each wallet, market and outcome. */
export function firstOnes(alerts: readonly ListedAlert[]): readonly ListedAlert[] {
  const first = new Map<string, ListedAlert>();
  for (const alert of alerts) {
    const name = [alert.wallet, alert.marketId, alert.outcomeIndex].join();
    if (!first.has(name)) first.set(name, alert);
  }
  return [...first.values()];
}

/** The mean of the alerts, and that of the events, each the mean of its alerts. */
export function meanOf(worths: readonly Worth[], figure: Exclude<keyof Worth, 'event'>): Mean {
  const known = worths.filter((worth) => worth[figure] !== null);
  const average = (values: readonly number[]) =>
    (100 * values.reduce((sum, value) => sum + value, 0)) / values.length;
  const valuesOf = (some: readonly Worth[]) => some.map((worth) => worth[figure] as number);
  const events = [...Map.groupBy(known, ({ event }) => event).values()].map(
    (own) => average(valuesOf(own)) / 100,
  );
  return {
    alerts: known.length,
    events: events.length,
    perAlert: average(valuesOf(known)),
    perEvent: average(events),
  };
}
