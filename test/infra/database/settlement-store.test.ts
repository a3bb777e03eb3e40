import { expect, test } from 'vitest';
import { settlementOf } from '../../support/alerts.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('resolution store', (fixture) => {
  test('an empty store has no rows, no sequence and no totals', async () => {
    const { settlements } = fixture.database;

    expect(await settlements.get('m')).toBeNull();
    expect(await settlements.after(0, 10)).toEqual([]);
    expect(await settlements.lastSeq()).toBe(0);
    expect(await settlements.totals()).toStrictEqual({ resolved: 0, won: 0 });
  });

  test('a row comes back as it was put', async () => {
    const { settlements } = fixture.database;
    const split = settlementOf({ marketId: 'split', seq: 1, outcomes: [], payouts: [0.5, 0.5, 0.1 + 0.2] });

    await settlements.put(split);

    expect(await settlements.get('split')).toStrictEqual(split);
  });

  test('a row has the entry in the log that it was put with last', async () => {
    const { settlements } = fixture.database;
    const log = { sequence: 12, hash: 'ab'.repeat(32), at: 1_700_000_000_000 };
    const first = settlementOf({ log });
    await settlements.put(first);
    expect(await settlements.after(0, 10)).toStrictEqual([first]);
    const again = { ...first, seq: 3, log: { ...log, sequence: 13 } };
    await settlements.put(again);
    expect(await settlements.get('0xm1')).toStrictEqual(again);
  });

  test('a correction replaces the market’s row and moves to the end of the sequence', async () => {
    const { settlements } = fixture.database;
    await settlements.put(settlementOf({ marketId: 'a', seq: 1 }));
    await settlements.put(settlementOf({ marketId: 'b', seq: 2, resolved: 5, won: 5 }));
    const corrected = settlementOf({ marketId: 'a', seq: 3, payouts: [0, 1], won: 0 });

    await settlements.put(corrected);

    expect(await settlements.get('a')).toStrictEqual(corrected);
    expect((await settlements.after(0, 10)).map(({ marketId, seq }) => [marketId, seq])).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect(await settlements.after(2, 10)).toStrictEqual([corrected]);
    expect(await settlements.lastSeq()).toBe(3);
    expect(await settlements.totals()).toStrictEqual({ resolved: 6, won: 5 });
  });

  test('a writer that was paused replaces no newer row of the market', async () => {
    const { settlements } = fixture.database;
    const newer = settlementOf({ marketId: 'a', seq: 3, payouts: [0, 1] });
    await settlements.put(newer);

    await expect(settlements.put(settlementOf({ marketId: 'a', seq: 2 }))).rejects.toThrow();

    expect(await settlements.after(0, 10)).toStrictEqual([newer]);
  });

  test('after gives at most its limit, in the order of the sequence', async () => {
    const { settlements } = fixture.database;
    for (const seq of [3, 1, 2]) await settlements.put(settlementOf({ marketId: `m${seq}`, seq }));

    expect((await settlements.after(0, 2)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('a sequence number that another market holds is refused, as a reader could miss one of the two', async () => {
    const { settlements } = fixture.database;
    await settlements.put(settlementOf({ marketId: 'a', seq: 1 }));

    await expect(settlements.put(settlementOf({ marketId: 'b', seq: 1 }))).rejects.toThrow();

    expect(await settlements.get('b')).toBeNull();
  });
});
