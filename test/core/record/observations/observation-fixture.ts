import { type Order, ordersOf } from '../../../../src/core/detection/order.ts';
import type { Trade } from '../../../../src/core/trades/trade.ts';
import { tradeOf } from '../../../support/rows.ts';

export const HOUR_0 = Date.UTC(2026, 0, 2, 6);

export function orderOf(given: Parameters<typeof tradeOf>[0] = {}): Order {
  const [order] = ordersOf([fillOf(given)]);
  return order as Order;
}

export function fillOf(given: Parameters<typeof tradeOf>[0] = {}): Trade {
  return tradeOf({ at: HOUR_0, ...given });
}
