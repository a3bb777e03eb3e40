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
  const page = (afterId: number, limit: number) =>
    fixture.database.alerts.unresolvedMarkets({ afterId, limit });

  test('are walked page by page, though some are resolved in between', async () => {
    await append('0xa', '0xb', '0xa', '0xc', '0xd');

    expect(await page(0, 3)).toStrictEqual({ marketIds: ['0xa', '0xb'], lastId: 3 });
    const first = await page(0, 2);
    await fixture.database.alerts.resolveMarket('0xc', () => WON);
    const second = await page(first.lastId ?? 0, 2);
    const third = await page(second.lastId ?? 0, 2);

    expect(first).toStrictEqual({ marketIds: ['0xa', '0xb'], lastId: 2 });
    expect(second).toStrictEqual({ marketIds: ['0xa', '0xd'], lastId: 5 });
    expect(third).toStrictEqual({ marketIds: [], lastId: null });
  });
});
