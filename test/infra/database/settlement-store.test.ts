import { expect, test } from 'vitest';
import { settlementOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('resolution store', (fixture) => {
  test('the newest are those of markets with alerts, the last changed first', async () => {
    const { settlements } = fixture.database;
    const rows = ['a', 'b', 'c', 'd'].map((marketId, index) =>
      settlementOf({ marketId, seq: index + 1, resolved: marketId === 'c' ? 0 : 1, won: 0 }),
    );
    for (const row of rows) await settlements.put(row);
    const corrected = settlementOf({ marketId: 'a', seq: 5 });
    await settlements.put(corrected);

    expect(await settlements.newest(10)).toStrictEqual([corrected, rows[3], rows[1]]);
    expect(await settlements.newest(2)).toStrictEqual([corrected, rows[3]]);
  });

  test('a writer that was paused replaces no newer row of the market', async () => {
    const { settlements } = fixture.database;
    const newer = settlementOf({ marketId: 'a', seq: 3, payouts: [0, 1] });
    await settlements.put(newer);

    await expect(settlements.put(settlementOf({ marketId: 'a', seq: 2 }))).rejects.toThrow();

    expect(await settlements.after(0, 10)).toStrictEqual([newer]);
  });
});
