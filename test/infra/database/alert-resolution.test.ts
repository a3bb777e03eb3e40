import { expect, test } from 'vitest';
import type { Alert, Resolution } from '../../../src/core/alerts/alert.ts';
import { alertOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

const WON: Resolution = { payout: 1, won: true, profitUsdc: 3000.25 };
const LOST: Resolution = { payout: 0, won: false, profitUsdc: -2000 };

onEachDatabase('resolving a market', (fixture) => {
  async function appendAll(...given: (Partial<Alert> & { id: number })[]) {
    for (const alert of given) await fixture.database.alerts.append(alertOf(alert));
  }
  const resolutionsOf = async () =>
    (await fixture.database.alerts.after(0, 5000)).map(({ resolution }) => resolution);

  test('leaves an alert as it is where nothing can be computed, and still counts it; a correction overwrites, without a negative zero', async () => {
    const { alerts } = fixture.database;
    await appendAll({ id: 1 }, { id: 2, resolution: WON }, { id: 3 });

    const counted = await alerts.resolveMarket('0xm1', ({ id }) => (id === 3 ? LOST : null));

    expect(counted).toEqual({ resolved: 2, won: 1 });
    expect(await resolutionsOf()).toStrictEqual([null, WON, LOST]);
    const corrected = await alerts.resolveMarket('0xm1', () => ({ ...LOST, profitUsdc: -0 }));
    expect(corrected).toEqual({ resolved: 3, won: 0 });
    expect(await resolutionsOf()).toStrictEqual(new Array(3).fill({ ...LOST, profitUsdc: 0 }));
  });

  test('reaches every alert of a market with very many', async () => {
    const count = 405;
    await appendAll(...Array.from({ length: count }, (_, index) => ({ id: index + 1 })));

    const counted = await fixture.database.alerts.resolveMarket('0xm1', ({ id }) => ({
      ...WON,
      profitUsdc: id,
    }));

    expect(counted).toEqual({ resolved: count, won: count });
    expect((await resolutionsOf()).map((resolution) => resolution?.profitUsdc)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });
});
