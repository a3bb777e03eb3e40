import { expect, test } from 'vitest';
import type { MarketSettlement } from '../../../src/core/alerts/settlement.ts';
import { onEachDatabase } from './each-database.ts';

function resolutionOf(
  given: Partial<MarketSettlement> & { marketId: string; seq: number },
): MarketSettlement {
  return { outcomes: ['Yes', 'No'], payouts: [1, 0], resolved: 2, won: 1, ...given };
}

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
    const split = resolutionOf({ marketId: 'split', seq: 1, outcomes: [], payouts: [0.5, 0.5, 0.1 + 0.2] });

    await settlements.put(split);

    expect(await settlements.get('split')).toStrictEqual(split);
  });

  test('a row has the entry in the log that it was put with, and none when it was put without', async () => {
    const { settlements } = fixture.database;
    const log = { sequence: 12, hash: 'ab'.repeat(32), at: 1_700_000_000_000 };
    const entered = resolutionOf({ marketId: 'entered', seq: 1, log });
    const older = resolutionOf({ marketId: 'older', seq: 2 });

    for (const row of [entered, older]) await settlements.put(row);

    expect(await settlements.get('entered')).toStrictEqual(entered);
    expect(await settlements.after(0, 10)).toStrictEqual([entered, older]);
    const again = { ...entered, seq: 3, log: { ...log, sequence: 13 } };
    await settlements.put(again);
    expect(await settlements.get('entered')).toStrictEqual(again);
    const without = resolutionOf({ marketId: 'entered', seq: 4 });
    await settlements.put(without);
    expect(await settlements.get('entered')).toStrictEqual(without);
  });

  test('a correction replaces the market’s row and moves to the end of the sequence', async () => {
    const { settlements } = fixture.database;
    await settlements.put(resolutionOf({ marketId: 'a', seq: 1 }));
    await settlements.put(resolutionOf({ marketId: 'b', seq: 2, resolved: 5, won: 5 }));
    const corrected = resolutionOf({ marketId: 'a', seq: 3, payouts: [0, 1], won: 0 });

    await settlements.put(corrected);

    expect(await settlements.get('a')).toStrictEqual(corrected);
    expect((await settlements.after(0, 10)).map(({ marketId, seq }) => [marketId, seq])).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect(await settlements.after(2, 10)).toStrictEqual([corrected]);
    expect(await settlements.lastSeq()).toBe(3);
    expect(await settlements.totals()).toStrictEqual({ resolved: 7, won: 5 });
  });

  test('a writer that was paused replaces no newer row of the market', async () => {
    const { settlements } = fixture.database;
    const newer = resolutionOf({ marketId: 'a', seq: 3, payouts: [0, 1] });
    await settlements.put(newer);

    await expect(settlements.put(resolutionOf({ marketId: 'a', seq: 2 }))).rejects.toThrow();

    expect(await settlements.after(0, 10)).toStrictEqual([newer]);
  });

  test('after gives at most its limit, in the order of the sequence', async () => {
    const { settlements } = fixture.database;
    for (const seq of [3, 1, 2]) await settlements.put(resolutionOf({ marketId: `m${seq}`, seq }));

    expect((await settlements.after(0, 2)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('a sequence number that another market holds is refused, as a reader could miss one of the two', async () => {
    const { settlements } = fixture.database;
    await settlements.put(resolutionOf({ marketId: 'a', seq: 1 }));

    await expect(settlements.put(resolutionOf({ marketId: 'b', seq: 1 }))).rejects.toThrow();

    expect(await settlements.get('b')).toBeNull();
  });
});
