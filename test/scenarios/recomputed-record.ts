import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** An alert as it is published: what the recomputation takes from the program. Times in milliseconds. */
export interface ListedAlert {
  readonly id: number;
  readonly marketId: string;
  readonly wallet: string;
  readonly outcomeIndex: number;
  readonly publishedAt: number;
  readonly entryPrice: number;
}

interface Order {
  readonly at: number;
  /** Orders of one second are taken by wallet, asset and side. */
  readonly rank: string;
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

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The orders and results of a tape: its own reading, for comparison. All fills of a wallet, outcome and side in a second are an order. */
export function readOrders(tape: string): ReadonlyMap<string, TapeMarket> {
  const markets = new Map<string, TapeMarket>();
  const orders = new Map<string, Order>();
  const text = gunzipSync(readFileSync(join(import.meta.dirname, '../..', tape))).toString('utf8');
  for (const line of text.split('\n').slice(1, -1)) {
    const row = JSON.parse(line);
    const empty = { event: '', orders: [], settledAt: Number.POSITIVE_INFINITY, payouts: [] };
    const market: TapeMarket = markets.get(row.conditionId) ?? empty;
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
      const rank = [row.proxyWallet, row.asset, row.side].join();
      order = { at: row.timestamp * 1_000, rank, outcome: row.outcomeIndex, shares: 0, usdc: 0 };
      orders.set(name, order);
      market.orders.push(order);
    }
    order.shares += row.size;
    order.usdc += row.size * row.price;
  }
  for (const { orders: own } of markets.values())
    own.sort((a, b) => a.at - b.at || (a.rank < b.rank ? -1 : 1));
  return markets;
}

interface Point {
  readonly at: number;
  readonly price: number;
}

/** What each alert was worth, in USDC a share; null where it is not known. */
export interface Worth {
  readonly id: number;
  readonly event: string;
  readonly bought: Point | null;
  readonly later: Point | null;
  readonly payout: Point;
  readonly move24h: number | null;
  readonly wonMinusPrice: number;
}

/** As docs/method.md defines it. */
export function worthOf(alert: ListedAlert, markets: ReadonlyMap<string, TapeMarket>): Worth {
  const market = markets.get(alert.marketId) as TapeMarket;
  const priceOf = ({ usdc, shares, outcome }: Order) =>
    outcome === alert.outcomeIndex ? usdc / shares : 1 - usdc / shares;
  const minuteOf = ({ at }: Order) => at - (at % MINUTE);
  const firstIn = (from: number, until: number): Point | null => {
    const order = market.orders.find((one) => minuteOf(one) >= from && minuteOf(one) < until);
    return order === undefined ? null : { at: order.at, price: priceOf(order) };
  };
  const payout = { at: market.settledAt, price: market.payouts[alert.outcomeIndex] as number };
  const after = (moment: number): Point => {
    if (payout.at <= moment) return payout;
    const order = firstIn(moment, Number.POSITIVE_INFINITY);
    return order !== null && order.at < payout.at ? order : payout;
  };
  const { publishedAt } = alert;
  const first = firstIn(publishedAt + MINUTE, publishedAt + HOUR);
  const bought = first !== null && first.at < payout.at ? first : null;
  const later = bought === null ? null : after(bought.at + DAY);
  return {
    id: alert.id,
    event: market.event,
    bought,
    later,
    payout,
    move24h: bought === null || later === null ? null : later.price - bought.price,
    wonMinusPrice: payout.price - alert.entryPrice,
  };
}

export function firstOnes(alerts: readonly ListedAlert[]): readonly ListedAlert[] {
  const first = new Map<string, ListedAlert>();
  for (const alert of alerts) {
    const name = [alert.wallet, alert.marketId, alert.outcomeIndex].join();
    if (!first.has(name)) first.set(name, alert);
  }
  return [...first.values()];
}

type Figure = 'move24h' | 'wonMinusPrice';

/** The mean of the alerts, and that of the events, each the mean of its alerts, in cents a share. */
export function meanOf(worths: readonly Worth[], figure: Figure) {
  const known = worths.filter((worth) => worth[figure] !== null);
  const average = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const valuesOf = (some: readonly Worth[]) => some.map((worth) => 100 * (worth[figure] as number));
  const events = [...Map.groupBy(known, ({ event }) => event).values()].map((own) => average(valuesOf(own)));
  return {
    alerts: known.length,
    events: events.length,
    perAlert: average(valuesOf(known)),
    perEvent: average(events),
  };
}

/** The capital of a bettor with one bet at a time, second by second from what the method says: free cash, at the end. */
export function bettorsCapital(worths: readonly Worth[], isOn: boolean): { bets: number; now: number } {
  const offers = worths
    .flatMap(({ id, bought, later }) => (bought === null ? [] : [{ id, bought, later }]))
    .sort((a, b) => a.bought.at - b.bought.at || a.id - b.id);
  const accounts = [1, 2, 4, 8].flatMap((shares) =>
    [0.25, 0.5, 0.9].map((most) => ({ shares, most, cash: 1 / 12 })),
  );
  let [bets, free] = [0, Number.NEGATIVE_INFINITY];
  for (const { bought, later } of offers) {
    if (bought.at <= free) continue;
    if (later === null || later.at > bought.at + 2 * DAY) throw new Error('a late price: not on this tape');
    const price = isOn ? bought.price : 1 - bought.price;
    const value = isOn ? later.price : 1 - later.price;
    for (const account of accounts)
      account.cash *= 1 + Math.min(account.shares, account.most / price) * (value - price);
    [bets, free] = [bets + 1, later.at];
  }
  return { bets, now: accounts.reduce((sum, { cash }) => sum + cash, 0) };
}
