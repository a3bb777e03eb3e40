import { expect, test } from 'vitest';
import type { BlindWindow } from '../../../../src/core/trades/coverage/blind-window.ts';
import { onSqlite } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';

function windowOf(given: Partial<BlindWindow> & { startedAt: number }): BlindWindow {
  return {
    id: `blind_${given.startedAt}`,
    endedAt: null,
    cause: 'unreachable',
    backfilledAt: null,
    ...given,
  };
}

onSqlite('stored coverage', (fixture) => {
  test('windows that overlap a time are given, both of its ends included, the newest first', async () => {
    const { coverage } = fixture.database;
    const before = windowOf({ startedAt: START, endedAt: START + 9 });
    const touching = windowOf({ startedAt: START + 5, endedAt: START + 10 });
    const within = windowOf({ startedAt: START + 12, endedAt: START + 13 });
    const lasting = windowOf({ startedAt: START + 20 });
    const after = windowOf({ startedAt: START + 21 });
    for (const window of [within, before, after, lasting, touching]) await coverage.putWindow(window);

    const time = { since: START + 10, until: START + 20 };
    expect(await coverage.windows({ ...time, limit: 100 })).toEqual([lasting, within, touching]);
    expect(await coverage.windows({ ...time, limit: 2 })).toEqual([lasting, within]);
    expect(await coverage.windows({ since: START + 500, until: START + 600, limit: 100 })).toEqual([
      after,
      lasting,
    ]);
  });

  test('unsettled are those that last or are not filled, and began since then or last; the newest first', async () => {
    const { coverage } = fixture.database;
    const old = windowOf({ startedAt: START - 10, endedAt: START - 5 });
    const oldLasting = windowOf({ startedAt: START - 9 });
    const filled = windowOf({ startedAt: START + 1, endedAt: START + 2, backfilledAt: START + 3 });
    const unfilled = windowOf({ startedAt: START, endedAt: START + 1 });
    const lasting = windowOf({ startedAt: START + 4 });
    for (const window of [unfilled, old, lasting, oldLasting, filled]) await coverage.putWindow(window);

    expect(await coverage.unsettled(START)).toEqual([lasting, unfilled, oldLasting]);
  });
});
