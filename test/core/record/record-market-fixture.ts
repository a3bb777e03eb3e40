import type { Alert } from '../../../src/core/alerts/alert.ts';
import { DAY_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { type Order, ordersOf } from '../../../src/core/detection/order.ts';
import { MarketWatch } from '../../../src/core/record/prices/market-watch.ts';
import type { Prices } from '../../../src/core/record/prices/prices.ts';
import type { PriceDay, WatchedMarket } from '../../../src/core/record/prices/watched-market.ts';
import { alertOf } from '../../support/alerts.ts';
import { tradeOf } from '../../support/rows.ts';

const ASSETS = ['11', '22'] as const;
const OUTCOMES = ['Yes', 'No'] as const;

/** A taker order as a test names it: 100 USDC in the base outcome, unless it says otherwise. `price`: of its own outcome. */
export interface GivenOrder {
  readonly at: number;
  readonly price: number;
  readonly outcome?: 0 | 1;
  readonly usdc?: number;
  readonly wallet?: string;
}

/** `06:01:30` of 2027-01-02; `1 06:01:30` one day later. */
export function time(text: string): number {
  const [clock = '', days = '0'] = text.split(' ').reverse();
  return Date.parse(`2027-01-02T${clock}Z`) + Number(days) * DAY_MS;
}

/** A published alert on an order. `publishedAt`: source's time. */
export function alertOn(order: GivenOrder, publishedAt: number, given: Partial<Alert> = {}): Alert {
  const { at, price, outcome = 0, usdc = 100, wallet = '0xw' } = order;
  return alertOf({
    id: 1,
    key: `w:${wallet}:${ASSETS[outcome]}:BUY:${at / SECOND_MS}`,
    wallet,
    outcome: OUTCOMES[outcome],
    outcomeIndex: outcome,
    entryPrice: price,
    usdc,
    shares: usdc / price,
    tradedAt: at,
    detectedAt: publishedAt,
    ...given,
  });
}

interface GivenMarket extends Partial<WatchedMarket> {
  readonly orders: readonly GivenOrder[];
  readonly watched?: readonly Alert[];
}

export interface StoredMarket {
  readonly market: WatchedMarket;
  readonly days: readonly PriceDay[];
}

/** A market of Yes (the base) and No with these alerts, as it is stored after the orders. */
export function recordMarket({ orders, watched = [], ...given }: GivenMarket): StoredMarket {
  const alerts = watched.map(({ key, tradedAt, detectedAt }) => {
    return { key, tradedAt, detectedAt, bought: null, later: null };
  });
  const { settledAt = null } = given;
  const market = { marketId: '0xm1', baseAsset: ASSETS[0], endsAt: null, alerts, points: [], ...given };
  const watch = new MarketWatch({ ...market, settledAt: null });
  const known = orders
    .filter(({ at }) => settledAt === null || at < settledAt)
    .toSorted((a, b) => a.at - b.at);
  const days = known.flatMap((order) => watch.order(orderOf(order)) ?? []);
  return { market: { ...watch.market, settledAt }, days };
}

/** What reads of a store with one market give. */
export function storeOf({ market, days }: StoredMarket): Pick<Prices, 'markets' | 'days' | 'endingNext'> {
  return {
    markets: async (ids) => (ids.includes(market.marketId) ? [market] : []),
    days: async (_id, { from, before, limit }) =>
      days
        .filter(({ day }) => day >= from && day < before)
        .toReversed()
        .slice(0, limit),
    endingNext: async () => [],
  };
}

export function orderOf({ at, price, outcome = 0, usdc = 100 }: GivenOrder): Order {
  const [order] = ordersOf([tradeOf({ at, price, usdc, asset: ASSETS[outcome] })]);
  return order as Order;
}
