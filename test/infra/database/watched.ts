import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import type { PriceDay, WatchedMarket } from '../../../src/core/record/prices/watched-market.ts';

export const FIRST_DAY = Date.UTC(2026, 10, 3) / DAY_MS;
const BEGIN = FIRST_DAY * DAY_MS;

export function marketOf(given: Partial<WatchedMarket> & { readonly marketId: string }): WatchedMarket {
  return {
    baseAsset: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
    endsAt: null,
    settledAt: null,
    alerts: [{ key: 'k1', tradedAt: BEGIN, detectedAt: BEGIN + 1, bought: null, later: null }],
    points: [[BEGIN / 1_000, 0.5]],
    ...given,
  };
}

export function dayOf(marketId: string, index: number, price = 0.5): PriceDay {
  const day = FIRST_DAY + index;
  return { marketId, day, points: [[(day * DAY_MS) / 1_000, price]] };
}
