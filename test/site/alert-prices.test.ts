import { expect, test } from 'vitest';
import { MarketPrices } from '../../src/core/record/prices/market-prices.ts';
import { marketPriceLine } from '../../src/site/alert-prices.ts';
import { recordMarket, storeOf } from '../core/record/record-market-fixture.ts';
import { alertAt, minute } from './observed-site.ts';

test('the line of the other outcome has the same prices on its own scale', async () => {
  const alerts = [alertAt(0, { id: 1 }), alertAt(90, { id: 2 }, { outcome: 1, price: 0.7 })] as const;
  const orders = [
    { at: minute(0), price: 0.4 },
    { at: minute(90), price: 0.7, outcome: 1 },
  ] as const;
  const stored = recordMarket({ watched: alerts, orders });
  const prices = new MarketPrices(storeOf(stored), async () => null, { now: () => minute(100) });
  const observed = await marketPriceLine(prices, alerts[0], { until: minute(100) });
  const lines = alerts.map((alert) => observed?.lineOf(alert).map(({ price }) => price));
  expect(lines).toEqual([
    [0.4, 0.3],
    [0.6, 0.7],
  ]);
});
