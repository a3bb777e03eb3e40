import { expect, test } from 'vitest';
import { settlementOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('resolution store', (fixture) => {
  test('an empty store has no rows, no sequence and no totals', async () => {
    const { settlements } = fixture.database;

    expect(await settlements.get('m')).toBeNull();
    expect(await settlements.newest(10)).toEqual([]);
    expect(await settlements.after(0, 10)).toEqual([]);
    expect(await settlements.lastSeq()).toBe(0);
    expect(await settlements.totals()).toStrictEqual({ resolved: 0, won: 0 });
  });

  test('a correction replaces the market’s row and moves to the end of the sequence', async () => {
    const { settlements } = fixture.database;
    await settlements.put(settlementOf({ marketId: 'a', seq: 1 }));
    await settlements.put(settlementOf({ marketId: 'b', seq: 2, resolved: 5, won: 5 }));
    const log = { sequence: 12, hash: 'ab'.repeat(32), at: 1_700_000_000_000 };
    const corrected = settlementOf({ marketId: 'a', seq: 3, payouts: [0.5, 0.1 + 0.2], won: 0, log });

    await settlements.put(corrected);

    expect(await settlements.get('a')).toStrictEqual(corrected);
    expect((await settlements.after(0, 10)).map(({ marketId, seq }) => [marketId, seq])).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect(await settlements.after(2, 10)).toStrictEqual([corrected]);
    expect((await settlements.after(0, 1)).map(({ seq }) => seq)).toEqual([2]);
    expect(await settlements.lastSeq()).toBe(3);
    expect(await settlements.totals()).toStrictEqual({ resolved: 6, won: 5 });
  });

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
