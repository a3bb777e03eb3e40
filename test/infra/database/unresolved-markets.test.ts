import { expect, test } from 'vitest';
import type { Resolution } from '../../../src/core/alerts/alert.ts';
import { alertOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

const WON: Resolution = { payout: 1, won: true, profitUsdc: 10 };

onEachDatabase('markets of unresolved alerts', (fixture) => {
  async function append(...marketIds: readonly string[]) {
    for (const [index, marketId] of marketIds.entries())
      await fixture.database.alerts.append(alertOf({ id: index + 1, marketId }));
  }
  const page = (afterId = 0, limit = 10) => fixture.database.alerts.unresolvedMarkets({ afterId, limit });

  test('leave out those that were resolved, before the alert or after', async () => {
    expect(await page()).toStrictEqual({ marketIds: [], lastId: null });
    await append('0xa', '0xb', '0xa');
    await fixture.database.alerts.append(alertOf({ id: 4, marketId: '0xc', resolution: WON }));
    await fixture.database.alerts.resolveMarket('0xa', () => WON);

    expect(await page()).toStrictEqual({ marketIds: ['0xb'], lastId: null });
  });

  test('tell their alerts, under all titles, oldest first', async () => {
    await append('0xb', '0xa', '0xb');
    await fixture.database.alerts.append(alertOf({ id: 4, marketId: '0xb', eventTitle: 'Renamed' }));
    const { alerts } = fixture.database;

    expect((await alerts.ofMarket('0xb', 10)).map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(await alerts.ofMarket('0xb', 1)).toStrictEqual([await alerts.byId(1)]);
    expect(await alerts.ofMarket('0xc', 10)).toEqual([]);
  });

  test('are walked page by page, though some are resolved in between', async () => {
    await append('0xa', '0xb', '0xa', '0xc', '0xd');

    const first = await page(0, 2);
    await fixture.database.alerts.resolveMarket('0xc', () => WON);
    const second = await page(first.lastId ?? 0, 2);
    const third = await page(second.lastId ?? 0, 2);

    expect(first).toStrictEqual({ marketIds: ['0xa', '0xb'], lastId: 2 });
    expect(second).toStrictEqual({ marketIds: ['0xa', '0xd'], lastId: 5 });
    expect(third).toStrictEqual({ marketIds: [], lastId: null });
  });
});
